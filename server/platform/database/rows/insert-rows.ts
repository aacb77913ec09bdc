import { CompiledQuery, sql } from 'kysely'
import type { BatchColumn, CellValue, PackedBatch, Transaction } from '#server/platform/database/database.ts'
import { forEachEntry, forEachStoredRow } from './packed-batch.ts'
import type { DictionaryLists } from './dictionary-lists.ts'

/** The rows to store: each is a list of cells in the order of the columns. */
export type NewRows = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly CellValue[])[]
  /** Cells that are the same in every row: said once, not sent with each. */
  readonly constants?: { readonly [column: string]: string | number | null }
}

/**
 * Stores many rows at once, for imports. On SQLite they go to the writing thread in one message and one statement runs
 * for each; on PostgreSQL they are one statement that unpacks a list for each column. Names are ours, never a person's.
 */
export async function insertRows(transaction: Transaction, newRows: NewRows): Promise<void> {
  const { table, columns, rows, constants = {} } = newRows
  if (rows.length === 0) return
  if (transaction.dialect === 'sqlite') {
    await transaction.runForEach(insertion(table, columns, constants), rows.map(withoutTruth))
    return
  }
  const names = [...columns, ...Object.keys(constants)].map((column) => `"${column}"`).join(', ')
  const said = Object.values(constants).map(literal)
  const types = await columnTypes(transaction, table)
  const lists = columns.map((column, at) => `$${at + 1}::${types.get(column) ?? 'text'}[]`).join(', ')
  const statement = `insert into "${table}" (${names}) select ${['given.*', ...said].join(', ')} from unnest(${lists}) as given`
  const byColumn = columns.map((_, at) => rows.map((row) => row[at] ?? null))
  await transaction.db.executeQuery(CompiledQuery.raw(statement, byColumn))
}

/** A batch of rows whose first cells were packed by another thread. */
export type PackedRows = Pick<NewRows, 'table' | 'constants'> &
  Pick<PackedBatch, 'packed' | 'count' | 'leftOut'> & {
    readonly packedColumns: readonly string[]
    /** Columns that were not packed. */
    readonly columns: readonly { readonly name: string; readonly cells: BatchColumn }[]
    /** Tables of lists, which know rows by `owners`. */
    readonly lists: readonly { readonly table: string; readonly picks: DictionaryLists }[]
    readonly owners: readonly CellValue[]
  }

/** The columns of the tables that hold lists. */
export const LIST_COLUMNS = ['record_id', 'position', 'value']

/** Stores packed rows with their lists; on SQLite they are unpacked by the writing thread alone. */
export async function insertPackedRows(transaction: Transaction, given: PackedRows): Promise<void> {
  const { table, owners, constants = {}, leftOut } = given
  if (given.count === leftOut.size) return
  const names = [...given.packedColumns, ...given.columns.map(({ name }) => name)]
  const columns = given.columns.map(({ cells }) => ('ends' in cells ? cells : withoutTruth(cells)))
  const batch = { packed: given.packed, count: given.count, columns, leftOut }
  if (transaction.runForPacked) {
    const statement = insertion(table, names, constants)
    const lists = given.lists.map(({ table: list, picks }) => ({
      statement: insertion(list, LIST_COLUMNS, {}),
      owners,
      picks,
    }))
    return transaction.runForPacked({ ...batch, statement, lists })
  }
  const rows: (readonly CellValue[])[] = []
  forEachStoredRow(batch, (cells) => void rows.push(cells))
  await insertRows(transaction, { table, columns: names, rows, constants })
  for (const { table: list, picks } of given.lists) {
    const entries: CellValue[][] = []
    forEachEntry({ owners, picks }, leftOut, (...entry) => void entries.push(entry))
    await insertRows(transaction, { table: list, columns: LIST_COLUMNS, rows: entries })
  }
}

function insertion(table: string, columns: readonly string[], constants: NonNullable<NewRows['constants']>): string {
  const names = [...columns, ...Object.keys(constants)].map((column) => `"${column}"`)
  const places = [...columns.map(() => '?'), ...Object.values(constants).map(literal)]
  return `insert into "${table}" (${names.join(', ')}) values (${places.join(', ')})`
}

/** A cell written into a statement, as both databases read it. */
function literal(cell: string | number | null): string {
  if (cell === null) return 'null'
  return typeof cell === 'number' ? String(cell) : `'${cell.replaceAll("'", "''")}'`
}

/** SQLite has no truth of its own. Rows without any, nearly all, are passed on as they are. */
const withoutTruth = (row: readonly CellValue[]): readonly CellValue[] =>
  row.some((cell) => typeof cell === 'boolean')
    ? row.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell))
    : row

/** The type of each column, as PostgreSQL writes it. */
async function columnTypes({ db }: Transaction, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`.execute(db)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Which rows get which cells: each list has the cells of the columns, then those of the keys. */
type ChangedRows = {
  readonly table: string
  readonly columns: readonly string[]
  /** The columns that name a row. */
  readonly keys: readonly string[]
  readonly rows: readonly (readonly CellValue[])[]
}

/** Changes the same columns of many rows at once, in the ways `insertRows` stores them. Names are ours. */
export async function updateRows(transaction: Transaction, { table, columns, keys, rows }: ChangedRows): Promise<void> {
  if (rows.length === 0) return
  if (transaction.dialect === 'sqlite') {
    const cells = columns.map((column) => `"${column}" = ?`).join(', ')
    const places = keys.map((key) => `"${key}" = ?`).join(' and ')
    await transaction.runForEach(`update "${table}" set ${cells} where ${places}`, rows.map(withoutTruth))
    return
  }
  const types = await columnTypes(transaction, table)
  const all = [...columns, ...keys]
  const lists = all.map((column, at) => `$${at + 1}::${types.get(column) ?? 'text'}[]`).join(', ')
  const cells = columns.map((column) => `"${column}" = given."${column}"`).join(', ')
  const places = keys.map((key) => `changed."${key}" = given."${key}"`).join(' and ')
  const names = all.map((column) => `"${column}"`).join(', ')
  const statement = `update "${table}" as changed set ${cells} from unnest(${lists}) as given (${names}) where ${places}`
  const byColumn = all.map((_, at) => rows.map((row) => row[at] ?? null))
  await transaction.db.executeQuery(CompiledQuery.raw(statement, byColumn))
}
