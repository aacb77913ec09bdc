import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'

/** Whether a column is one of many values. They are one parameter, so the statement is prepared once. */
export const inList = (dialect: Dialect, column: string, values: readonly CellValue[]): RawBuilder<SqlBool> =>
  dialect === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${values})`
