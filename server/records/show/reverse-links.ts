import type { RecordBody } from '#api/records.ts'
import { decide } from '#domain/access/decide.ts'
import { relationOf } from '#domain/collections/reverse-side.ts'
import type { Field } from '#domain/fields/field.ts'
import { checkStoredFilter } from '#domain/query/check/check-filter.ts'
import { type CheckedRecordsQuery, everythingVisible } from '#domain/query/list/records-query.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import { checkedQuery, type QueryActor, queryContext } from '#server/access/record-access/authorized-query.ts'
import { withQueryTiming } from '#server/query/run/slow-query-log.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type LinkingRecords, type ReverseLinks, selectReverseLinks } from './reverse-links-store.ts'
import { visibleTitles } from './visible-titles.ts'

/** Maximum number of linked records shown with a record; the others are listed with a filter. */
const MAX_SHOWN = 10

const NO_LINKS: ReverseLinks = { count: 0, ids: [] }

/** The links shown by a reverse side, by the record that they lead to. */
type ReverseLinksOf = (record: RecordId) => ReverseLinks

/**
 * Reads the records that link to these ones, as visible to the actor: those that the actor can read, with a relation
 * that the actor can read in them. Runs one statement per field.
 */
async function findReverseLinks(
  { database, recordQueryTime }: Pick<RecordDeps, 'database' | 'recordQueryTime'>,
  queryActor: QueryActor,
  field: Field<'reverse'>,
  records: readonly RecordId[],
): Promise<ReverseLinksOf> {
  const linking = linkingRecords(queryActor, field)
  if (!linking || records.length === 0) return () => NO_LINKS
  const { pendingImports } = queryActor.definitions
  const found = new Map<RecordId, ReverseLinks>()
  for (const ids of chunkIds(records)) {
    const setting = { dialect: database.dialect, pendingImports }
    const timing = { recordQueryTime }
    const links = await withQueryTiming(timing, { query: queryByLink(queryActor, linking, ids) }, () =>
      selectReverseLinks(database.read, setting, linking, { ids, limit: MAX_SHOWN }),
    )
    for (const [id, own] of links) found.set(id, own)
  }
  return (record) => found.get(record) ?? NO_LINKS
}

/** The same read as a list query, so that it is known which index makes it fast. */
function queryByLink(
  queryActor: QueryActor,
  { list: { collection }, relation }: LinkingRecords,
  [first = '']: readonly RecordId[],
): CheckedRecordsQuery {
  const storedFilter = { field: relation.id, op: '=', value: first } as const
  return checkedQuery(queryActor, collection, EVERYTHING, { storedFilter, page: 1, perPage: 1 })
}

const EVERYTHING = { allowed: true, hiddenFields: new Set<FieldId>() } as const

function linkingRecords(queryActor: QueryActor, field: Field<'reverse'>): LinkingRecords | undefined {
  const { actor, definitions } = queryActor
  const source = definitions.byId.get(field.options.collection)
  const decision = decide(actor, 'records:read', source)
  const relation = source && relationOf(field, source)
  if (!relation || !decision.allowed || decision.hiddenFields.has(relation.id)) return undefined
  const context = queryContext(queryActor, source, decision)
  const condition = decision.partlyHidden?.get(relation.id)
  return { list: everythingVisible(context), relation, readable: condition && checkStoredFilter(condition, context) }
}

type ShownFields = { readonly fields: readonly Field<'reverse'>[]; readonly expanded: readonly Field<'reverse'>[] }

/** Adds the values of reverse sides: the number of linked records and the first of them, with titles if expanded. */
export async function showReverseLinks(
  deps: Pick<RecordDeps, 'database' | 'clock' | 'recordQueryTime'>,
  queryActor: QueryActor,
  { fields, expanded }: ShownFields,
  bodies: readonly Pick<RecordBody, 'id' | 'values'>[],
): Promise<void> {
  const reads = await Promise.all(
    fields.map(async (field) => {
      const shown = bodies.filter(({ values }) => Object.hasOwn(values, field.name))
      const ids = shown.map(({ id }) => id)
      return { field, shown, linksOf: await findReverseLinks(deps, queryActor, field, ids) }
    }),
  )
  const wanted = new Map<CollectionId, { readonly ids: Set<RecordId>; readonly isTitled: true }>()
  for (const { field, shown, linksOf } of reads.filter((read) => expanded.includes(read.field))) {
    const { ids } = wanted.get(field.options.collection) ?? { ids: new Set<RecordId>() }
    for (const { id } of shown) for (const linked of linksOf(id).ids) ids.add(linked)
    wanted.set(field.options.collection, { ids, isTitled: true })
  }
  const titles = await visibleTitles(deps, queryActor, wanted)
  for (const { field, shown, linksOf } of reads) {
    const known = expanded.includes(field) ? titles.get(field.options.collection) : undefined
    for (const { id, values } of shown) {
      const { count, ids } = linksOf(id)
      values[field.name] = { count, records: known ? titled(ids, known) : ids }
    }
  }
}

/** Records that were hidden or deleted in the meantime are left out. */
const titled = (ids: readonly RecordId[], titles: ReadonlyMap<RecordId, string>) =>
  ids.flatMap((id) => {
    const title = titles.get(id)
    return title === undefined ? [] : [{ id, title: title || id }]
  })
