import type { Collection } from '#domain/collections/collection.ts'
import type { Database } from '#server/database/database.ts'
import { findDamage, WHOLE_FILE } from '#server/database/sqlite/hurt-tables.ts'
import type { Check } from './check.ts'

/** Lines of SQLite's own words that are shown for each table; one bad page can make thousands. */
const MOST_LINES = 3

/** The structure of the database file, table by table; PostgreSQL guards its own files. */
export const fileIsWhole: Check = {
  name: 'The database file is whole',
  run: ({ database, definitions }) => damageOf(database, definitions.list),
}

/** One sentence for each damaged table, in the words of these collections. */
export async function damageOf(
  { dialect, read }: Pick<Database, 'dialect' | 'read'>,
  collections: readonly Collection[],
): Promise<string[]> {
  if (dialect === 'postgres') return []
  const { tables, searchIndexes } = await findDamage(read)
  return [
    ...tables.map(({ name, findings }) => {
      const more = findings.length > MOST_LINES ? [`${findings.length - MOST_LINES} more`] : []
      return `Damaged: ${inWords(collections, name)}. ${[...findings.slice(0, MOST_LINES), ...more].join('; ')}`
    }),
    ...searchIndexes.map((id) => `Damaged: search index ${id}. The server rebuilds it; no records are lost.`),
  ]
}

/** What a table holds, in the words of the workspace. */
function inWords(collections: readonly Collection[], table: string): string {
  if (table === WHOLE_FILE) return 'the file itself, outside of its tables'
  const id = table.slice(2)
  const collection = collections.find((each) => each.id === id || each.fields.some((field) => field.id === id))
  return collection ? `records of ${collection.name} (${table})` : `table ${table}`
}
