import { type RawBuilder, sql } from 'kysely'
import type { Field } from '#domain/fields/field.ts'
import { resultField } from '#domain/formulas/value-field.ts'
import type { RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { Step } from '#domain/query/check/checked-filter.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { CellValue, Database, Transaction } from '#server/platform/database/database.ts'
import { chunkIds, inList } from '#server/platform/database/rows/id-lists.ts'
import { compileRollup } from '#server/query/compile/compile-rollup.ts'
import { foldOf } from '#server/query/compile/formula/compile-formula.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { indexRecords, mustMark, type RecordRange } from '#server/query/search/index/index-records.ts'
import { hasFoldColumn } from '#server/query/sql/field-storage.ts'
import {
  allOf,
  column,
  columnOf,
  type Condition,
  foldColumnOf,
  listTableOf,
  rowAt,
  rowsOf,
  type SqlContext,
  tableOf,
  withoutPending,
} from '#server/query/sql/sql-context.ts'

type Place = Pick<Definitions, 'pendingImports' | 'timeZone'>
type WritePlace = Place & Pick<Definitions, 'byId' | 'searchParts'>

/** Calculates the values of records again, and returns the records whose value has changed. */
export async function recalculate(
  transaction: Transaction,
  plan: RollupPlan,
  place: WritePlace,
  ids: readonly RecordId[],
): Promise<RecordId[]> {
  const changed: RecordId[] = []
  for (const some of chunkIds(ids))
    changed.push(...(await recalculateWhere(transaction, plan, place, amongIds(transaction, some))))
  return changed
}

/** Stores the values of records that aren't in the search index yet. */
export async function calculateUnindexed(
  transaction: Transaction,
  plan: RollupPlan,
  place: Place,
  ids: readonly RecordId[],
): Promise<void> {
  for (const some of chunkIds(ids))
    await valuesUpdate(transaction, plan, place, amongIds(transaction, some)).execute(transaction.db)
}

const between = ({ first, last }: RecordRange): RawBuilder<unknown> => sql`between ${first} and ${last}`

/** On PostgreSQL, one parameter, so that the statement is prepared only once. */
const amongIds = ({ dialect }: Transaction, ids: readonly RecordId[]): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`in (${sql.join(ids)})` : sql`= any(${ids})`

export const recalculateBetween = (
  transaction: Transaction,
  plan: RollupPlan,
  place: WritePlace,
  range: RecordRange,
): Promise<RecordId[]> => recalculateWhere(transaction, plan, place, between(range))

async function recalculateWhere(
  transaction: Transaction,
  plan: RollupPlan,
  definitions: WritePlace,
  ids: RawBuilder<unknown>,
): Promise<RecordId[]> {
  const { rows } = await sql<{ id: string }>`${valuesUpdate(transaction, plan, definitions, ids)}
    returning id`.execute(transaction.db)
  const changed = rows.map(({ id }) => id)
  const home = definitions.byId.get(plan.home)
  if (home && changed.length > 0) indexRecords({ transaction, definitions }, home, changed, new Set([plan.field.id]))
  return changed
}

/** Calculates the values of a range of records again, and returns how many have changed. */
export async function recalculateRange(
  transaction: Transaction,
  plan: RollupPlan,
  definitions: WritePlace,
  range: RecordRange,
): Promise<number> {
  const home = definitions.byId.get(plan.home)
  const fields = new Set([plan.field.id])
  if (home && (await mustMark({ transaction, definitions }, home, fields, range)))
    return (await recalculateBetween(transaction, plan, definitions, range)).length
  const { numAffectedRows } = await valuesUpdate(transaction, plan, definitions, between(range)).execute(transaction.db)
  return Number(numAffectedRows ?? 0)
}

/** Stores the values of records, unless they are already stored. */
function valuesUpdate(
  { dialect }: Transaction,
  plan: RollupPlan,
  { pendingImports, timeZone }: Place,
  ids: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const context: SqlContext = { dialect, pendingImports, level: 0 }
  const result = resultField(plan.field)
  const own = columnOf(result.id)
  const next = column('n', 'value')
  const fold = hasFoldColumn(result) ? sql`, ${sql.ref(foldColumnOf(result.id))} = ${storedFold(next, context)}` : sql``
  const key = dialect === 'sqlite' ? 'seq' : 'id'
  // Computed once per record, because the value is used several times.
  return sql`
    update ${sql.table(tableOf(plan.home))} as t set ${sql.ref(own)} = ${next}${fold} from (
      with calculated as materialized (
        select ${column(rowAt(0), key)} as record, ${valueOf(plan, context, timeZone)} as value
        from ${rowsOf(plan.home, 0)} where ${column(rowAt(0), 'id')} ${ids}
      )
      select record, value from calculated
    ) as n where ${column('t', key)} = ${column('n', 'record')} and ${column('t', own)} is distinct from ${next}`
}

/** Calling JavaScript for each text takes a quarter of the update; SQLite folds ASCII itself. */
const storedFold = (text: RawBuilder<unknown>, context: SqlContext): RawBuilder<unknown> =>
  context.dialect === 'postgres'
    ? foldOf(text, context)
    : sql`case when ${text} glob '*[^ -~]*' then ${foldOf(text, context)} else lower(${text}) end`

/** The number of records whose stored value isn't that of the records that they are linked with. */
export async function countOutdated(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  plan: RollupPlan,
  { pendingImports, timeZone }: Place,
): Promise<number> {
  const context: SqlContext = { dialect, pendingImports, level: 0 }
  const differs: Condition = sql`${column(rowAt(0), columnOf(plan.field.id))} is distinct from ${valueOf(plan, context, timeZone)}`
  const { rows } = await sql<{ count: unknown }>`select count(*) as count from ${rowsOf(plan.home, 0)}
    where ${allOf([differs, ...withoutPending(context)])}`.execute(read)
  return Number(rows[0]?.count ?? 0)
}

/** The values of rollups of one collection in a record, which needn't be stored. */
export async function calculatedCells(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  plans: readonly RollupPlan[],
  { pendingImports, timeZone }: Place,
  record: RecordId,
): Promise<readonly (CellValue | undefined)[]> {
  const [home = ''] = plans.map((plan) => plan.home)
  const context: SqlContext = { dialect, pendingImports, level: 0 }
  const values = plans.map((plan, at) => sql`${valueOf(plan, context, timeZone)} as ${sql.id(`v${at}`)}`)
  const { rows } = await sql<Record<string, CellValue>>`select ${sql.join(values)} from ${rowsOf(home, 0)}
    where ${column(rowAt(0), 'id')} = ${record}`.execute(read)
  return plans.map((_, at) => rows[0]?.[`v${at}`])
}

/** Texts are compared in byte order, as in their column. */
function valueOf(plan: RollupPlan, context: SqlContext, timeZone: string): RawBuilder<unknown> {
  const value = compileRollup(plan, context, timeZone)
  const isText = context.dialect === 'postgres' && TEXT_RESULTS.has(plan.field.options.result)
  return isText ? sql`${value} collate "C"` : value
}

const TEXT_RESULTS: ReadonlySet<string> = new Set(['text', 'date', 'date-time'])

/** The range of the next records by ID, at most `limit`; on PostgreSQL, locked until the write ends. */
export async function nextRange(
  { db, dialect }: Transaction,
  collection: CollectionId,
  { after, until, limit }: { readonly after: RecordId; readonly until: RecordId | null; readonly limit: number },
): Promise<(RecordRange & { readonly count: number }) | undefined> {
  const following = db.selectFrom(tableOf(collection)).select('id').where('id', '>', after).orderBy('id').limit(limit)
  const query = until === null ? following : following.where('id', '<=', until)
  const { rows } = await sql<
    RecordRange & { readonly count: unknown }
  >`select min(id) as first, max(id) as last, count(*) as count
    from (${dialect === 'postgres' ? query.forUpdate() : query}) as next`.execute(db)
  const [found] = rows
  const count = Number(found?.count ?? 0)
  return found && count > 0 ? { ...found, count } : undefined
}

/** The records from which a step leads to these records, at most `limit`. `from` is their collection. */
export async function recordsBefore(
  { db }: Transaction,
  { relation, isReverse, into }: Step,
  from: CollectionId,
  { ids, limit }: { readonly ids: readonly RecordId[]; readonly limit: number },
): Promise<RecordId[]> {
  const [table, known, wanted] = linkColumns(relation, { isReverse, owner: isReverse ? into : from })
  const found = new Set<RecordId>()
  for (const some of chunkIds(ids)) {
    const { rows } = await sql<{ id: string | null }>`select distinct ${sql.ref(wanted)} as id from ${sql.table(table)}
      where ${sql.ref(known)} in (${sql.join(some)}) limit ${limit}`.execute(db)
    for (const { id } of rows) if (id !== null) found.add(id)
    if (found.size >= limit) break
  }
  return [...found]
}

/** The next records by ID from which a step leads to a record. `from` is their collection. */
export async function nextBefore(
  { db, dialect }: Pick<Transaction, 'db' | 'dialect'>,
  { relation, isReverse, into }: Step,
  from: CollectionId,
  { record, after, limit }: { readonly record: RecordId; readonly after: RecordId; readonly limit: number },
): Promise<RecordId[]> {
  const [table, known, wanted] = linkColumns(relation, { isReverse, owner: isReverse ? into : from })
  // On SQLite, indexes of a table contain its row numbers, which have the order of the IDs.
  const isByNumber = dialect === 'sqlite' && wanted === 'id'
  const rest = isByNumber
    ? sql`seq > coalesce((select n.seq from ${sql.table(table)} as n where n.id <= ${after}
        order by n.id desc limit 1), 0) order by seq`
    : sql`${sql.ref(wanted)} > ${after} order by 1`
  const distinct = isByNumber ? sql`` : sql`distinct`
  const { rows } = await sql<{ id: string }>`select ${distinct} ${sql.ref(wanted)} as id from ${sql.table(table)}
    where ${sql.ref(known)} = ${record} and ${rest} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The number of records from which a step leads to these records; some may be counted twice. */
export async function countBefore(
  { db }: Pick<Transaction, 'db'>,
  { relation, isReverse, into }: Step,
  from: CollectionId,
  records: readonly RecordId[],
): Promise<number> {
  const [table, known] = linkColumns(relation, { isReverse, owner: isReverse ? into : from })
  let total = 0
  for (const some of chunkIds(records)) {
    const { rows } = await sql<{ count: unknown }>`select count(*) as count from ${sql.table(table)}
      where ${sql.ref(known)} in (${sql.join(some)})`.execute(db)
    total += Number(rows[0]?.count ?? 0)
  }
  return total
}

/** Locks records on PostgreSQL until the write ends. */
export async function lockRecords(
  { db, dialect }: Transaction,
  collection: CollectionId,
  ids: readonly RecordId[],
): Promise<void> {
  if (dialect === 'sqlite' || ids.length === 0) return
  await sql`select from ${sql.table(tableOf(collection))} where ${inList(dialect, 'id', ids)}
    order by id for update`.execute(db)
}

/** The table of a relation's links, and its columns: the known end of a link and the wanted one. */
function linkColumns(
  { id, options }: Field<'relation'>,
  { isReverse, owner }: { readonly isReverse: boolean; readonly owner: CollectionId },
): readonly [table: string, known: string, wanted: string] {
  const [table, from, to] = options.many
    ? [listTableOf(id), 'record_id', 'value']
    : [tableOf(owner), 'id', columnOf(id)]
  return isReverse ? [table, from, to] : [table, to, from]
}
