import type { Collection } from '#domain/collections/collection.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { columnTypeFor, textColumnType } from '#server/schema/collections/column-types.ts'
import { isRetiredColumn } from '#server/schema/dropped-columns/dropped-columns.ts'
import { kindChanges } from '#server/schema/kind-changes/running-changes.ts'
import type { Database, Dialect, Reader } from '#server/platform/database/database.ts'
import {
  columnOf,
  foldColumnOf,
  hasFoldColumn,
  listTableOf,
  SEQ_COLUMN,
  SYSTEM_COLUMNS,
  tableOf,
} from '#server/query/sql/sql-context.ts'
import type { Check } from '#server/operations/doctor/check.ts'
import { columnsIn, recordTables } from '#server/operations/doctor/store.ts'

type Columns = ReadonlyMap<string, string>

export const checkTables: Check = {
  name: 'Tables and columns match the definitions',
  run: async ({ database, definitions }) => {
    const present = await recordTables(database)
    const wanted = expectedTables(await withShadows(definitions.list, database.read), database.dialect)
    const strange = [...present]
      .filter((table) => !wanted.has(table))
      .map((table) => `Table ${table} isn't used by any definition.`)
    const compared = await Promise.all(
      [...wanted].map(async ([table, { of, columns }]) =>
        present.has(table) ? compareTable(database, { table, of, columns }) : [`Table ${table} of ${of} is missing.`],
      ),
    )
    return [...strange, ...compared.flat()]
  },
}

/** Adds the shadow columns of fields whose type is being changed. */
async function withShadows(list: readonly Collection[], read: Reader): Promise<readonly Collection[]> {
  const changes = await kindChanges(read)
  const shadowsOf = (id: string) => changes.filter((change) => change.collection === id).map(({ shadow }) => shadow)
  return list.map((each) => ({ ...each, fields: [...each.fields, ...shadowsOf(each.id)] }))
}

type ExpectedTable = { readonly of: string; readonly columns: Columns }

function expectedTables(collections: readonly Collection[], dialect: Dialect): Map<string, ExpectedTable> {
  const wanted = new Map<string, ExpectedTable>()
  for (const collection of collections) {
    const plain = collection.fields.filter((field) => !holdsList(field))
    const own = [...systemColumns(dialect), ...plain.flatMap((field) => columnsOf(field, dialect))]
    wanted.set(tableOf(collection.id), { of: `the collection ${collection.name}`, columns: new Map(own) })
    for (const field of collection.fields.filter(holdsList)) {
      const of = `the field ${collection.name}.${field.name}`
      wanted.set(listTableOf(field.id), { of, columns: listColumns(dialect) })
    }
  }
  return wanted
}

/** `text collate "C" not null` → `text`, as the database reports it. */
const withoutConstraints = (type: string): string => type.replace(/ (?:collate|not null).*$/, '')

function columnsOf(field: Field, dialect: Dialect): [string, string][] {
  const own: [string, string] = [columnOf(field.id), withoutConstraints(columnTypeFor(field.kind, dialect))]
  return hasFoldColumn(field) ? [own, [foldColumnOf(field.id), withoutConstraints(textColumnType(dialect))]] : [own]
}

const WHOLE_NUMBERS: ReadonlySet<string> = new Set([SYSTEM_COLUMNS.version, SEQ_COLUMN])

const systemColumns = (dialect: Dialect): [string, string][] =>
  [...Object.values(SYSTEM_COLUMNS), ...(dialect === 'sqlite' ? [SEQ_COLUMN] : [])].map((column) => [
    column,
    WHOLE_NUMBERS.has(column) ? 'integer' : withoutConstraints(textColumnType(dialect)),
  ])

const listColumns = (dialect: Dialect): Columns =>
  new Map([
    ['record_id', withoutConstraints(textColumnType(dialect))],
    ['position', 'integer'],
    ['value', withoutConstraints(textColumnType(dialect))],
  ])

async function compareTable(
  database: Database,
  { table, of, columns }: ExpectedTable & { table: string },
): Promise<string[]> {
  const present = await columnsIn(database, table)
  const missing = [...columns.keys()].filter((column) => !present.has(column))
  const strange = [...present.keys()].filter((column) => !columns.has(column) && !isRetiredColumn(column))
  const others = [...columns].filter(([column, type]) => present.has(column) && present.get(column) !== type)
  return [
    ...missing.map((column) => `Table ${table} of ${of} has no column ${column}.`),
    ...strange.map((column) => `Column ${column} in table ${table} of ${of} isn't used by any definition.`),
    ...others.map(
      ([column, type]) => `Column ${column} in table ${table} of ${of} is ${present.get(column)}, not ${type}.`,
    ),
  ]
}
