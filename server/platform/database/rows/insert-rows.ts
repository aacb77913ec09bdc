import { CompiledQuery, sql } from 'kysely'
import type { BatchColumn, BatchList, BoundCell, PackedBatch, Transaction } from '#server/platform/database/database.ts'
import { forEachEntry, forEachStoredRow } from './packed-batch.ts'
import type { DictionaryLists } from './dictionary-lists.ts'

export type NewRows = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly BoundCell[])[]
  /** Cells that are the same in every row; sent only once. */
  readonly constants?: { readonly [column: string]: string | number | null }
}

/**
 * Inserts many rows, for imports. On SQLite, they are sent to the writer thread in one message and inserted one by one;
 * on PostgreSQL, one statement unnests a list per column. Table and column names must be generated, never user input.
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

export type PackedRows = Pick<NewRows, 'table' | 'constants'> &
  Pick<PackedBatch, 'packed' | 'count' | 'leftOut'> & {
    readonly packedColumns: readonly string[]
    readonly columns: readonly { readonly name: string; readonly cells: BatchColumn }[]
    readonly lists: readonly { readonly table: string; readonly picks: DictionaryLists }[]
    readonly owners: BatchList['owners']
  }

export const LIST_COLUMNS = ['record_id', 'position', 'value']

/** Inserts packed rows with their lists. On SQLite, only the writer thread unpacks them. */
export async function insertPackedRows(transaction: Transaction, given: PackedRows): Promise<void> {
  const { table, owners, constants = {}, leftOut } = given
  if (given.count === leftOut.size) return
  const names = [...given.packedColumns, ...given.columns.map(({ name }) => name)]
  const columns = given.columns.map(({ cells }) =>
    'ends' in cells || cells instanceof BigInt64Array ? cells : withoutTruth(cells),
  )
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
  const rows: (readonly BoundCell[])[] = []
  forEachStoredRow(batch, (cells) => void rows.push(cells))
  await insertRows(transaction, { table, columns: names, rows, constants })
  for (const { table: list, picks } of given.lists) {
    const entries: BoundCell[][] = []
    forEachEntry({ owners, picks }, leftOut, (...entry) => void entries.push(entry))
    await insertRows(transaction, { table: list, columns: LIST_COLUMNS, rows: entries })
  }
}

function insertion(table: string, columns: readonly string[], constants: NonNullable<NewRows['constants']>): string {
  const names = [...columns, ...Object.keys(constants)].map((column) => `"${column}"`)
  const places = [...columns.map(() => '?'), ...Object.values(constants).map(literal)]
  return `insert into "${table}" (${names.join(', ')}) values (${places.join(', ')})`
}

function literal(cell: string | number | null): string {
  if (cell === null) return 'null'
  return typeof cell === 'number' ? String(cell) : `'${cell.replaceAll("'", "''")}'`
}

/** SQLite has no Booleans. Rows without Booleans, which are the vast majority, are passed on unchanged. */
const withoutTruth = <Cell extends BoundCell>(row: readonly Cell[]): readonly (Cell | number)[] =>
  row.some((cell) => typeof cell === 'boolean')
    ? row.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell))
    : row

async function columnTypes({ db }: Transaction, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`.execute(db)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

type ChangedRows = {
  readonly table: string
  readonly columns: readonly string[]
  readonly keys: readonly string[]
  readonly rows: readonly (readonly BoundCell[])[]
}

/** Updates the same columns in many rows, like `insertRows`. Column names must be generated. */
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
