import type { RecordValues } from '#domain/records/record.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { CellValue, Dialect, Reader, Transaction } from '#server/platform/database/database.ts'
import { insertRows, updateRows } from '#server/platform/database/rows/insert-rows.ts'
import { inList } from '#server/platform/database/rows/id-lists.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'

/** An import's change to an existing record: the values that differ, before and after. */
export type StagedChange = {
  readonly record: RecordId
  readonly row: number
  readonly before: RecordValues
  readonly after: RecordValues
}

/** The version that the import wrote, and the user who last edited the record before. */
export type WrittenChange = StagedChange & {
  readonly version: number
  readonly updatedAt: string
  readonly updatedBy: UserId | null
}

const STAGED_COLUMNS = ['import_id', 'record_id', 'row_number', 'before', 'after'] as const

export const stageChanges = (
  transaction: Transaction,
  importId: string,
  changes: readonly StagedChange[],
): Promise<void> =>
  insertRows(transaction, {
    table: 'import_changes',
    columns: STAGED_COLUMNS,
    rows: changes.map(({ record, row, before, after }) => [
      importId,
      record,
      row,
      JSON.stringify(before),
      JSON.stringify(after),
    ]),
  })

export async function recordsStaged(
  { db, dialect }: Transaction,
  importId: string,
  records: readonly RecordId[],
): Promise<Set<RecordId>> {
  if (records.length === 0) return new Set()
  const rows = await db
    .selectFrom('import_changes')
    .select('record_id')
    .where('import_id', '=', importId)
    .where(inList(dialect, 'record_id', records))
    .execute()
  return new Set(rows.map((row) => row.record_id))
}

const STAGED = ['record_id', 'row_number', 'before', 'after'] as const

/** Ordered by record, for paging. */
export async function changesAfter(
  { db }: Transaction,
  importId: string,
  { record, max }: { readonly record: RecordId; readonly max: number },
): Promise<StagedChange[]> {
  const rows = await db
    .selectFrom('import_changes')
    .select(STAGED)
    .where('import_id', '=', importId)
    .where('record_id', '>', record)
    .orderBy('record_id')
    .limit(max)
    .execute()
  return rows.map(stagedOf)
}

export async function takeChanges(
  { db }: Transaction,
  importId: string,
  max: number,
): Promise<(StagedChange | WrittenChange)[]> {
  const rows = await db
    .selectFrom('import_changes')
    .select([...STAGED, 'version', 'updated_at', 'updated_by'])
    .where('import_id', '=', importId)
    .limit(max)
    .execute()
  return rows.map((row) => {
    const staged = stagedOf(row)
    if (row.version === null || row.updated_at === null) return staged
    return { ...staged, version: Number(row.version), updatedAt: row.updated_at, updatedBy: row.updated_by }
  })
}

const stagedOf = (row: {
  readonly record_id: string
  readonly row_number: number
  readonly before: string
  readonly after: string
}): StagedChange => ({
  record: row.record_id,
  row: Number(row.row_number),
  before: JSON.parse(row.before),
  after: JSON.parse(row.after),
})

/** Stores the data needed to undo the change. */
export const markWritten = (
  transaction: Transaction,
  importId: string,
  changes: readonly WrittenChange[],
): Promise<void> =>
  updateRows(transaction, {
    table: 'import_changes',
    columns: ['version', 'updated_at', 'updated_by'],
    keys: ['import_id', 'record_id'],
    rows: changes.map(({ record, version, updatedAt, updatedBy }) => [version, updatedAt, updatedBy, importId, record]),
  })

export async function deleteStagedChanges(
  { db }: Transaction,
  importId: string,
  records: readonly RecordId[],
): Promise<void> {
  if (records.length === 0) return
  await db
    .deleteFrom('import_changes')
    .where('import_id', '=', importId)
    .where('record_id', 'in', [...records])
    .execute()
}

export type KeyMatch = { readonly id: RecordId; readonly count: number; readonly isOfImport: boolean }

/** Rows of this import are visible; those of other pending imports are not. */
export type KeyColumnRef = {
  readonly dialect: Dialect
  readonly collection: CollectionId
  readonly column: string
  readonly importId: string
  readonly pending: readonly string[]
}

export async function findByKey(
  db: Reader,
  { dialect, collection, column, importId, pending }: KeyColumnRef,
  keys: readonly CellValue[],
): Promise<Map<CellValue, KeyMatch>> {
  const found = new Map<CellValue, KeyMatch>()
  if (keys.length === 0) return found
  const others = pending.filter((id) => id !== importId)
  const rows = await db
    .selectFrom(tableOf(collection))
    .select((eb) => [
      `${column} as key`,
      eb.fn.min<string>('id').as('first'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.max<number>(eb.case().when('import_id', '=', importId).then(1).else(0).end()).as('own'),
    ])
    .where(inList(dialect, column, keys))
    .$if(others.length > 0, (query) =>
      query.where((eb) => eb.or([eb('import_id', 'is', null), eb('import_id', 'not in', others)])),
    )
    .groupBy(column)
    .execute()
  for (const row of rows) {
    found.set(row['key'] ?? null, {
      id: String(row.first),
      count: Number(row.count),
      isOfImport: Number(row.own) === 1,
    })
  }
  return found
}
