import { type RawBuilder, sql } from 'kysely'
import { type Field, holdsList } from '#domain/fields/field.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import { SYSTEM_COLUMNS, columnOf, listTableOf } from './column-names.ts'
import { entryAt, quoted, rowAt } from './sql-context.ts'

const ROW = quoted(rowAt(0))
const ENTRY = quoted(entryAt(0))

/**
 * What is selected of a row to make it a record with these fields: no folded texts, no number of SQLite's. A list comes
 * with its row, as JSON under the name of its table: to ask for it afterwards costs more than the row itself.
 */
export const recordColumns = (fields: readonly Field[], dialect: Dialect): RawBuilder<unknown>[] => {
  const cells = fields.map((field) => (holdsList(field) ? listCell(field.id, dialect) : ownCell(columnOf(field.id))))
  return [sql.raw([...READ_OF_ALL.map(ownCell), ...cells].join(', '))]
}

const READ_OF_ALL = Object.values(SYSTEM_COLUMNS).filter((name) => name !== SYSTEM_COLUMNS.importId)

const ownCell = (name: string): string => `${ROW}.${quoted(name)}`

function listCell(field: FieldId, dialect: Dialect): string {
  const [value, position] = [`${ENTRY}."value"`, `${ENTRY}."position"`]
  const entries = `from ${quoted(listTableOf(field))} as ${ENTRY}
    where ${ENTRY}."record_id" = ${ownCell(SYSTEM_COLUMNS.id)}`
  // SQLite walks the key of the table in this form, and would sort each list if the order stood inside the function.
  const list =
    dialect === 'sqlite'
      ? `select json_group_array(value) from (select ${value} as value ${entries} order by ${position})`
      : `select cast(json_agg(${value} order by ${position}) as text) ${entries}`
  return `(${list}) as ${quoted(listTableOf(field))}`
}
