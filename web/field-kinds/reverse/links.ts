import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listRecords, readRecord, type RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { FOR_LISTS } from '#web/data/queries/record-list-queries.ts'
import { cacheRecord, invalidateLists, saveRecord } from '#web/data/queries/record-queries.ts'
import { detailFields } from '#web/shared/lookups/search-options.ts'
import { collectionPath } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

/** A relation, the collection that contains it, and the record that it links to. */
export type Linking = {
  readonly source: TypedCollection
  readonly relation: Field<'relation'>
  readonly record: string
  /** The name of the collection of this record. */
  readonly target: string
}

const MAX_SHOWN = 10

/** Fields shown next to the title of a linked record. */
export const shownFields = ({ source, relation }: Linking): readonly Field[] =>
  detailFields(source).filter(({ id }) => id !== relation.id)

const filterOf = ({ relation, record }: Linking): string =>
  printFilter({ field: relation.name, op: '=', value: record })

export const linkedListPath = (linking: Linking): string =>
  `${collectionPath(linking.source.name)}?filter=${encodeURIComponent(filterOf(linking))}`

/** The first records that link to a record, and their number. */
export function linkedRecordsQuery(linking: Linking) {
  const { source, relation } = linking
  const { name, titleField } = source
  const fields = [
    ...new Set([
      ...(titleField === null ? [] : [titleField]),
      ...shownFields(linking).map((one) => one.name),
      relation.name,
    ]),
  ]
  const filter = filterOf(linking)
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
