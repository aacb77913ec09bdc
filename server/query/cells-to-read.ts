import { type RawBuilder, sql } from 'kysely'
import { type Field, holdsList } from '#domain/fields/field.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import type { Dialect } from '#server/database/database.ts'
import { SYSTEM_COLUMNS, columnOf, listTableOf } from './column-of.ts'
import { column, entryAt, rowAt } from './sql-place.ts'

const ROW = rowAt(0)
const ENTRY = entryAt(0)

/**
 * What is selected of a row to make it a record with these fields: no folded texts, no number of SQLite's. A list comes
 * with its row, as JSON under the name of its table: to ask for it afterwards costs more than the row itself.
 */
export const cellsToRead = (fields: readonly Field[], dialect: Dialect): RawBuilder<unknown>[] => [
  ...READ_OF_ALL.map((name) => column(ROW, name)),
  ...fields.map((field) => (holdsList(field) ? listCell(field.id, dialect) : column(ROW, columnOf(field.id)))),
]

const READ_OF_ALL = Object.values(SYSTEM_COLUMNS).filter((name) => name !== SYSTEM_COLUMNS.importId)

function listCell(field: FieldId, dialect: Dialect): RawBuilder<unknown> {
  const [value, position] = [column(ENTRY, 'value'), column(ENTRY, 'position')]
  const entries = sql`from ${sql.table(listTableOf(field))} as ${sql.id(ENTRY)}
    where ${column(ENTRY, 'record_id')} = ${column(ROW, SYSTEM_COLUMNS.id)}`
  // SQLite walks the key of the table in this form, and would sort each list if the order stood inside the function.
  const list =
    dialect === 'sqlite'
      ? sql`select json_group_array(value) from (select ${value} as value ${entries} order by ${position})`
      : sql`select cast(json_agg(${value} order by ${position}) as text) ${entries}`
  return sql`(${list}) as ${sql.id(listTableOf(field))}`
}
