import { CompiledQuery, sql } from 'kysely'
import type { CellValue, RowBehind, Transaction } from './database.ts'
import { rowUnpacker } from './packed-rows.ts'

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

/** Rows whose first cells were packed by another thread; those behind them are given here, or null to leave a row out. */
export type PackedRows = Omit<NewRows, 'rows'> & {
  readonly packed: Uint8Array
  readonly packedColumns: readonly string[]
  readonly rows: readonly RowBehind[]
}

/** Stores packed rows; on SQLite they are unpacked by the writing thread alone. */
export async function insertPackedRows(transaction: Transaction, given: PackedRows): Promise<void> {
  const { table, packed, packedColumns, rows, constants = {} } = given
  const columns = [...packedColumns, ...given.columns]
  if (transaction.runForPacked) {
    return transaction.runForPacked(
      insertion(table, columns, constants),
      packed,
      rows.map((row) => row && withoutTruth(row)),
    )
  }
  const next = rowUnpacker(packed)
  const whole = rows.flatMap((row) => {
    const cells = next()
    return row ? [[...cells, ...row]] : []
  })
  return insertRows(transaction, { table, columns, rows: whole, constants })
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
export const withoutTruth = (row: readonly CellValue[]): readonly CellValue[] =>
  row.some((cell) => typeof cell === 'boolean')
    ? row.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell))
    : row

/** The type of each column, as PostgreSQL writes it. */
export async function columnTypes({ db }: Transaction, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`.execute(db)
  return new Map(rows.map(({ name, type }) => [name, type]))
}
