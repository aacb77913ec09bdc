import type { Collection } from '#domain/collections/collection.ts'
import type { Database } from '#server/platform/database/database.ts'
import { findCorruption, WHOLE_FILE } from '#server/platform/database/sqlite/corrupted-tables.ts'
import type { Check } from '#server/operations/doctor/check.ts'

/** SQLite messages shown per table; one bad page can cause thousands. */
const MAX_LINES = 3

/** SQLite only; PostgreSQL checks its own files. */
export const checkDatabaseFile: Check = {
  name: 'The database file is intact',
  run: ({ database, definitions }) => damageOf(database, definitions.list),
}

/** One sentence per damaged table, with the names of collections. */
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
