import type { Collection } from '#domain/collections/collection.ts'
import { columnType, textColumnType, hasFoldColumn } from '#server/query/sql/field-storage.ts'
import type { Database, Dialect, Reader } from '#server/platform/database/database.ts'
import { WHOLE_FILE, findCorruption } from '#server/platform/database/sqlite/corruption-guard.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { columnsIn, indexFaults, recordTables } from '#server/operations/doctor/store.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { storedFieldsIn, valueField } from '#domain/formulas/value-field.ts'
import { textsIn } from '#server/query/search/searched-texts.ts'
import { findOutdated } from '#server/records/rollups/find-outdated.ts'
import { isRetiredColumn } from '#server/schema/dropped-columns/dropped-columns.ts'
import { isDeletedField, listDeleted } from '#server/schema/deleted-definitions/deleted-definitions.ts'
import { kindChanges } from '#server/schema/kind-changes/running-changes.ts'
import {
  SEQ_COLUMN,
  SYSTEM_COLUMNS,
  columnOf,
  foldColumnOf,
  listTableOf,
  tableOf,
} from '#server/query/sql/sql-context.ts'

/** Maximum SQLite messages shown per table, because one damaged page can cause thousands. */
const MAX_LINES = 3

/** SQLite only; PostgreSQL checks its own files. */
export const checkDatabaseFile: Check = {
  name: 'The database file is intact',
  run: ({ database, definitions }) => damageOf(database, definitions.list),
}

/** Returns one message per damaged table, with the collection names. */
export async function damageOf(
  { dialect, read }: Pick<Database, 'dialect' | 'read'>,
  collections: readonly Collection[],
): Promise<string[]> {
  if (dialect === 'postgres') return []
  const { tables, searchIndexes } = await findCorruption(read)
  return [
    ...tables.map(({ name, findings }) => {
      const more = findings.length > MAX_LINES ? [`${findings.length - MAX_LINES} more`] : []
      return `Damaged: ${describeTable(collections, name)}. ${[...findings.slice(0, MAX_LINES), ...more].join('; ')}`
    }),
    ...searchIndexes.map((id) => `Damaged search index ${id}. The server will rebuild it; no records are lost.`),
  ]
}

function describeTable(collections: readonly Collection[], table: string): string {
  if (table === WHOLE_FILE) return 'the file itself, outside of its tables'
  const id = table.slice(2)
  const collection = collections.find((each) => each.id === id || each.fields.some((field) => field.id === id))
  return collection ? `records of ${collection.name} (${table})` : `table ${table}`
}

export type CheckContext = {
  readonly database: Database
  readonly definitions: Definitions
  readonly blobs: BlobStorage
  readonly now: Date
}

export type Check = {
  /** The expected condition, phrased as a statement that is true if the check finds nothing. */
  readonly name: string
  /** Whether findings disappear at the next start; they are then expected in a backup. */
  readonly endsByItself?: true
  /** Whether findings are informational rather than errors. */
  readonly isNote?: true
  /** Returns one message per finding. */
  readonly run: (patient: CheckContext) => Promise<readonly string[]>
}

/** Further findings of the same check are only counted. */
export const MAX_FINDINGS = 20

/**
 * SQLite only: full-text indexes must contain exactly the records that have text. The server creates missing indexes
 * itself.
 */
export const checkSearchIndex: Check = {
  name: 'Search indexes are complete',
  run: async ({ database, definitions }) => {
    if (database.dialect === 'postgres') return []
    const findings: string[] = []
    for (const collection of definitions.list) {
      const { id, name } = collection
      const texts = textsIn(collection, { timeZone: definitions.timeZone, dialect: database.dialect })
      for (const part of definitions.searchParts.get(id) ?? []) {
        const indexed = texts.filter((text) => part.fields.includes(text.name))
        const { lacking, gone } = await indexFaults(database.read, part, indexed)
        if (lacking > 0) findings.push(`${lacking} records of ${name} are missing from its search index.`)
        if (gone > 0) findings.push(`The search index of ${name} contains ${gone} deleted records.`)
      }
    }
    return findings
  },
}

export const checkRollups: Check = {
  name: 'Lookups, counts and rollups match the linked records',
  run: async ({ database, definitions }) => {
    const outdated = await findOutdated(database, definitions)
    return outdated.map(({ collection, field, count }) => {
      const { name = collection } = definitions.byId.get(collection) ?? {}
      return `${count} values of ${name}.${field.name} are outdated. Recalculate the field.`
    })
  },
}

type Columns = ReadonlyMap<string, string>

export const checkTables: Check = {
  name: 'Tables and columns match the definitions',
  run: async ({ database, definitions }) => {
    const present = await recordTables(database)
    const all = await withDeleted(await withShadows(definitions.list, database.read), database.read)
    const wanted = expectedTables(all, database.dialect)
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

/** Adds deleted fields and collections, whose values are kept until they can no longer be restored. */
async function withDeleted(list: readonly Collection[], read: Reader): Promise<readonly Collection[]> {
  const deleted = await listDeleted(read)
  const collections = deleted.flatMap(({ definition }) => (isDeletedField(definition) ? [] : definition))
  const fieldsOf = (id: string) =>
    deleted.flatMap(({ collection, definition }) =>
      collection === id && isDeletedField(definition) ? definition.field : [],
    )
  return [...list, ...collections].map((each) => ({ ...each, fields: [...each.fields, ...fieldsOf(each.id)] }))
}

type ExpectedTable = { readonly of: string; readonly columns: Columns }

function expectedTables(collections: readonly Collection[], dialect: Dialect): Map<string, ExpectedTable> {
  const wanted = new Map<string, ExpectedTable>()
  for (const collection of collections) {
    const plain = storedFieldsIn(collection.fields).filter((field) => !holdsList(field))
    const own = [...systemColumns(dialect), ...plain.flatMap((field) => columnsOf(field, dialect))]
    wanted.set(tableOf(collection.id), { of: `the collection ${collection.name}`, columns: new Map(own) })
    for (const field of collection.fields.filter(holdsList)) {
      const of = `the field ${collection.name}.${field.name}`
      wanted.set(listTableOf(field.id), { of, columns: listColumns(dialect) })
    }
  }
  return wanted
}

/** Reduces `text collate "C" not null` to `text`, as the database reports it. */
const withoutConstraints = (type: string): string => type.replace(/ (?:collate|not null).*$/, '')

function columnsOf(computed: Field, dialect: Dialect): [string, string][] {
  const field = valueField(computed)
  const own: [string, string] = [columnOf(field.id), withoutConstraints(columnType(field, dialect))]
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
