import { CompiledQuery } from 'kysely'
import type { CellValue, Transaction } from '#server/platform/database/database.ts'
import { columnTypes, withoutTruth } from './insert-rows.ts'

/** Which rows get which cells: each list has the cells of the columns, then those of the keys. */
export type ChangedRows = {
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
