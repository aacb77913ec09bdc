import type { QueryClient } from '@tanstack/react-query'
import { findPeople as findPeopleOf, MAX_PERSON_TEXT, MAX_PERSON_TEXTS } from '#api/users.ts'
import { listRecords } from '#api/records.ts'
import type { Field, SelectKind } from '#domain/fields/field.ts'
import { isId } from '#domain/fields/relation.ts'
import { parseValue } from '#domain/fields/kinds.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { titleFieldOf, type TypedCollection, typedCollection } from '#web/shared/fields/typed-collection.ts'
import { addOptions, untilShown } from '#web/shared/fields/add-options.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { NameMatch, ResolveNames } from './paste-values.ts'
import { findOption, namesIn } from '#domain/fields/select.ts'
import { foldText } from '#domain/shared/text.ts'
import type { CellContext } from '#web/shared/cell-editing/cell-context.ts'

/** Keeps request URLs below the maximum length. */
const MAX_URL_LENGTH = 5000
const MAX_NAMES = 100
const MAX_RESULTS = 500

type Found = Map<string, NameMatch>

/** Resolves the names in a pasted column with as few requests as possible. */
export const nameResolver =
  (queryClient: QueryClient): ResolveNames =>
  (field, names) =>
    field.kind === 'user' ? findPeople(names) : findRecords(queryClient, field, names)

async function findRecords(
  queryClient: QueryClient,
  field: Field<'relation'>,
  names: readonly string[],
): Promise<Found> {
  const collections = await queryClient.ensureQueryData(collectionsQuery)
  const body = collections.find(({ id }) => id === field.options.collection)
  const found: Found = new Map(names.map((name) => [name, 'none']))
  if (!body) return found
  const there = typedCollection(body)
  const title = titleFieldOf(there)
  if (title) for (const some of inChunks(names)) await byTitle(there, title, some, found)
  // Records without a title are copied as IDs.
  const ids = names.filter((name) => found.get(name) === 'none' && isId(name))
  for (const some of inChunks(ids)) await byId(there, some, found)
  return found
}

/** Matches titles exactly, including case and accents. */
async function byTitle(there: TypedCollection, title: Field, names: readonly string[], found: Found): Promise<void> {
  const values = names.flatMap((name) => {
    const parsed = parseValue(title, name)
    return parsed.ok && (typeof parsed.value === 'string' || typeof parsed.value === 'number') ? [parsed.value] : []
  })
  if (values.length === 0) return
  const filter = printFilter({ field: title.name, op: 'in', value: values })
  const { items } = await call(listRecords, {
    params: { collection: there.id },
    query: { filter, fields: title.name, perPage: MAX_RESULTS, count: 'none' },
  })
  const bearers = Map.groupBy(items, (record) => keyOf(title, textOf(record.values[title.name])))
  for (const name of names) {
    const [only, second] = bearers.get(keyOf(title, name)) ?? []
    if (second) found.set(name, 'several')
    else if (only) found.set(name, { id: only.id, name: recordTitle(there, only) })
  }
}

/** Normalizes a title as the title field does, so that `1.0` matches the record `1`. */
function keyOf(title: Field, name: string): string {
  const parsed = parseValue(title, name)
  return parsed.ok ? textOf(parsed.value) : name
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

async function byId(there: TypedCollection, ids: readonly string[], found: Found): Promise<void> {
  const { items } = await call(listRecords, {
    params: { collection: there.id },
    query: {
      filter: printFilter({ field: 'id', op: 'in', value: ids }),
      ...(there.titleField !== null && { fields: there.titleField }),
      perPage: MAX_RESULTS,
      count: 'none',
    },
  })
  for (const record of items) found.set(record.id, { id: record.id, name: recordTitle(there, record) })
}

/** As in imports, the server also matches users by email and includes disabled users. */
async function findPeople(names: readonly string[]): Promise<Found> {
  const found: Found = new Map(names.map((name) => [name, 'none']))
  const requested = names.filter((name) => name.length <= MAX_PERSON_TEXT)
  for (let at = 0; at < requested.length; at += MAX_PERSON_TEXTS) {
    const texts = requested.slice(at, at + MAX_PERSON_TEXTS)
    const { items } = await call(findPeopleOf, { body: { texts } })
    for (const [index, { person, isAmbiguous }] of items.entries()) {
      found.set(texts[index] ?? '', person ?? (isAmbiguous ? 'several' : 'none'))
    }
  }
  return found
}

/** Splits names into chunks that fit into a URL. */
function inChunks(names: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = []
  let letters = 0
  for (const name of names) {
    const length = encodeURIComponent(name).length + 8
    const part = parts.at(-1)
    if (part && part.length < MAX_NAMES && letters + length <= MAX_URL_LENGTH) {
      part.push(name)
      letters += length
    } else {
      parts.push([name])
      letters = length
    }
  }
  return parts
}

export type UnknownOptions = { readonly field: Field<SelectKind>; readonly names: readonly string[] }

export function unknownOptionsIn(field: Field<SelectKind>, text: string): readonly string[] {
  const names = field.kind === 'multi-select' ? namesIn(text, field) : [text.trim()]
  return names.filter((name) => name !== '' && findOption(field, name) === undefined)
}

/** Removes duplicates ignoring case, because option names are case-insensitive. */
export const uniqueNames = (names: readonly string[]): readonly string[] => [
  ...new Map(names.map((name) => [foldText(name), name])).values(),
]

/** Adds options and returns the updated collection. */
export async function addMissingOptions(
  worldNow: () => CellContext,
  unknown: readonly UnknownOptions[],
): Promise<TypedCollection> {
  const { queryClient, collection } = worldNow()
  let version = 0
  for (const { field, names } of unknown)
    version = (await addOptions(queryClient, collection.id, field, names))?.version ?? version
  await untilShown(() => worldNow().collection.version >= version)
  return worldNow().collection
}
