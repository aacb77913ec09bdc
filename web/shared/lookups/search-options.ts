import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listRecords, type RecordListItem, type PersonBody } from '#api/records.ts'
import { listPeople } from '#api/users.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { DROPDOWN } from '#domain/specification.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { listText } from '#web/i18n/locale.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { recordTitle, UNTITLED, valueText } from '#web/shared/fields/record-title.ts'
import { typedCollection, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type DropdownOption, type FoundOptions, NO_OPTIONS, type OptionSearch } from '#web/ui/dropdown/option.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'

const PER_PAGE = 500

/** Loads pages until one isn't full or the option limit is reached. */
export async function firstOptions(
  read: (page: number, perPage: number) => Promise<FoundOptions>,
): Promise<FoundOptions> {
  const first = await read(1, PER_PAGE)
  const options = [...first.options]
  let { length } = first.options
  for (let page = 2; length === PER_PAGE && options.length < DROPDOWN.optionLimit; page += 1) {
    const next = await read(page, PER_PAGE)
    options.push(...next.options)
    ;({ length } = next.options)
  }
  return { ...first, options }
}

/** Field kinds whose values help distinguish records with similar titles, most useful first. */
const DETAIL_KINDS: readonly FieldKind[] = [
  'auto-number',
  'state',
  'select',
  'email',
  'date',
  'text',
  'number',
  'phone',
  'date-time',
]

const MAX_DETAILS = 2

/** Fields shown below the title of an option. */
export function detailFields({ fields, titleField }: TypedCollection): readonly Field[] {
  const rankOf = ({ kind }: Field): number => DETAIL_KINDS.indexOf(kind)
  return fields
    .filter((field) => rankOf(field) >= 0 && field.name !== titleField)
    .toSorted((left, right) => rankOf(left) - rankOf(right))
    .slice(0, MAX_DETAILS)
}

/** Omits values that are empty or hidden in this record. */
export function recordOption(
  collection: TypedCollection,
  record: RecordListItem,
  details: readonly Field[] = detailFields(collection),
): DropdownOption {
  const texts = details.map((field) => detailText(field, record.values[field.name]))
  const description = texts.filter((text) => text !== '').join(' · ')
  return { value: record.id, label: recordTitle(collection, record), ...(description !== '' && { description }) }
}

/** Links are labeled, because they could be mistaken for the title. */
function detailText(field: Field, value: unknown): string {
  if (field.kind !== 'relation') return valueText(field, value)
  const titles = toClientValue('relation', value).map(({ title }) => title || UNTITLED)
  return titles.length === 0 ? '' : `${field.label}: ${listText(titles)}`
}

type RecordSearchOptions = { readonly filter?: string; readonly details?: readonly Field[] }

export const recordSearch =
  (queryClient: QueryClient, collectionId: string, { filter, details }: RecordSearchOptions = {}): OptionSearch =>
  async (text, signal) => {
    const collections = await queryClient.ensureQueryData(collectionsQuery)
    const body = collections.find(({ id }) => id === collectionId)
    if (!body) return NO_OPTIONS
    const collection = typedCollection(body)
    const { titleField } = collection
    const shown = details ?? detailFields(collection)
    const fields = [titleField, ...shown.map(({ name }) => name)].join(',')
    const expand = shown.filter(({ kind }) => kind === 'relation').map(({ name }) => name)
    return firstOptions(async (page, perPage) => {
      const { items, total, totalIs } = await call(listRecords, {
        params: { collection: collectionId },
        query: {
          page,
          perPage,
          count: page === 1 ? 'capped' : 'none',
          ...(text.trim() !== '' && { search: text }),
          ...(filter !== undefined && { filter }),
          ...(expand.length > 0 && { expand: expand.join(',') }),
          ...(titleField !== null && { fields, sort: titleField }),
        },
        signal,
      })
      return {
        options: items.map((record) => recordOption(collection, record, shown)),
        total: total ?? items.length,
        isTotalCapped: totalIs === 'atLeast',
      }
    })
  }

export const searchPeople: OptionSearch = (text, signal) =>
  firstOptions(async (page, perPage) => {
    const { items, total } = await call(listPeople, {
      query: { perPage, page, ...(text.trim() !== '' && { search: text.trim() }) },
      signal,
    })
    const options = items.map(({ id, name, email }) => ({
      value: id,
      label: name,
      ...(email !== undefined && { description: email }),
    }))
    return { options, total }
  })

/** Maximum number of pages to load for a list without search. */
const MAX_PAGES = 20

async function readPeople(signal: AbortSignal): Promise<readonly PersonBody[]> {
  const people: PersonBody[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, hasMore } = await call(listPeople, { query: { page, perPage: PER_PAGE }, signal })
    people.push(...items)
    if (!hasMore) break
  }
  return people
}

export const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: ({ signal }) => readPeople(signal),
  staleTime: 60_000,
})
