import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'

/** Maximum IDs per statement or filter, because both databases limit the number of parameters. */
const IDS_PER_CHUNK = 500

/** Maximum for statements without other parameters; SQLite allows 32,766 and PostgreSQL 65,535. */
export const MAX_IDS = 20_000

export function chunkIds<Item = string>(ids: readonly Item[], size = IDS_PER_CHUNK): Item[][] {
  const parts: Item[][] = []
  for (let at = 0; at < ids.length; at += size) parts.push(ids.slice(at, at + size))
  return parts
}

/** Maximum number of rows per insert, because both databases limit the number of parameters. */
const MAX_ROWS = 256

/**
 * Chunks whose lengths are powers of two, so that few different statements are prepared. Each uses up to 0.2 MB of the
 * cache.
 */
export function chunkRows<Row>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = []
  for (let at = 0; at < rows.length; at += parts.at(-1)?.length ?? 0) {
    const count = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows.length - at)))
    parts.push(rows.slice(at, at + count))
  }
  return parts
}

/**
 * Whether a column equals one of many values. The values are passed as a single parameter, so that the statement is
 * prepared only once.
 */
export const inList = (dialect: Dialect, column: string, values: readonly CellValue[]): RawBuilder<SqlBool> =>
  dialect === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${values})`
