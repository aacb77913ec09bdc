import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listRecords, readRecord, type RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { FOR_LISTS } from '#web/data/queries/record-list-queries.ts'
import { cacheRecord, invalidateLists, saveRecord } from '#web/data/queries/record-queries.ts'
import { detailFields, recordSearch } from '#web/shared/lookups/search-options.ts'
import { collectionPath } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { OptionSearch } from '#web/ui/dropdown/option.tsx'

/** A relation, the collection that contains it, and the record that it links to. */
export type Linking = {
  readonly source: TypedCollection
  readonly relation: Field<'relation'>
  readonly record: string
  /** The name of the collection of this record. */
  readonly target: string
  /** Fields shown next to the title of a linked record. */
  readonly columns: readonly Field[]
}

const MAX_SHOWN = 10

/** The chosen fields, otherwise a few that tell records apart. */
export function linkedColumns(source: TypedCollection, { options }: Field<'reverse'>): readonly Field[] {
  const { fields, relation } = options
  if (fields === undefined) return detailFields(source).filter(({ id }) => id !== relation)
  const byId = new Map(source.fields.map((field) => [field.id, field]))
  return fields.flatMap((id) => byId.get(id) ?? []).filter(({ name }) => name !== source.titleField)
}

const filterOf = ({ relation, record }: Linking): string =>
  printFilter({ field: relation.name, op: '=', value: record })

export const linkedListPath = (linking: Linking): string =>
  `${collectionPath(linking.source.name)}?filter=${encodeURIComponent(filterOf(linking))}`

/** The first records that link to a record, and their number. */
export function linkedRecordsQuery(linking: Linking) {
  const { name } = linking.source
  const filter = filterOf(linking)
  const fields = fieldNames(linking)
  return queryOptions({
    queryKey: queryKeys.recordList(name, { filter, fields, linked: true }),
    queryFn: ({ signal }) =>
      call(listRecords, {
        params: { collection: name },
        query: { filter, fields: fields.join(','), perPage: MAX_SHOWN, count: 'exact', ...FOR_LISTS },
        signal,
      }),
  })
}

const fieldNames = ({ source, relation, columns }: Linking): readonly string[] => [
  ...new Set([
    ...(source.titleField === null ? [] : [source.titleField]),
    ...columns.map(({ name }) => name),
    relation.name,
  ]),
]

/** Finds records that aren't linked yet. Options show the current link if it would be replaced. */
export const linkableSearch = (queryClient: QueryClient, { source, relation, record }: Linking): OptionSearch =>
  recordSearch(queryClient, source.id, {
    filter: printFilter({ field: relation.name, op: '!=', value: record }),
    ...(!relation.options.many && {
      details: [relation, ...detailFields(source).filter(({ id }) => id !== relation.id)],
    }),
  })

type Values = { readonly [field: string]: unknown }

/** The value of the relation with or without the record, among the links that the user can see. */
function withLink({ relation, record }: Linking, before: unknown, isLinked: boolean): unknown {
  if (!relation.options.many) return isLinked ? record : null
  const others = (Array.isArray(before) ? before : []).filter((id) => id !== record)
  return isLinked ? [...others, record] : others
}

/** Links or unlinks a record, and returns the former value of its relation. */
export async function changeLink(
  queryClient: QueryClient,
  linking: Linking,
  id: string,
  isLinked: boolean,
): Promise<unknown> {
  const { source, relation } = linking
  const now = await call(readRecord, { params: { collection: source.name, record: id }, query: {} })
  const before = now.values[relation.name]
  await saveLinks(queryClient, linking, now, { [relation.name]: withLink(linking, before, isLinked) })
  return before
}

/** Restores the former value of a relation. */
export async function restoreLink(
  queryClient: QueryClient,
  linking: Linking,
  id: string,
  before: unknown,
): Promise<void> {
  const { source, relation } = linking
  const now = await call(readRecord, { params: { collection: source.name, record: id }, query: {} })
  await saveLinks(queryClient, linking, now, { [relation.name]: before })
}

async function saveLinks(
  queryClient: QueryClient,
  { source, target }: Linking,
  record: Pick<RecordListItem, 'id' | 'version'>,
  values: Values,
): Promise<void> {
  const saved = await saveRecord(source.name, record, values)
  cacheRecord(queryClient, source.name, saved)
  invalidateLists(queryClient, source.name)
  invalidateLists(queryClient, target)
}
