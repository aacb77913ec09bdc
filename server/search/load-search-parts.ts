import type { Dialect, Reader } from '#server/database/database.ts'
import type { FullTextIndexes } from '#server/query/search-part.ts'
import { loadIndexRows } from './store.ts'
import { loadTrigramIndexes } from './trigrams-store.ts'

/** The full-text indexes of every collection; part of the definitions, since whatever changes them changes these. */
export async function loadFullTextIndexes(reader: Reader, dialect: Dialect): Promise<FullTextIndexes> {
  const parts = await (dialect === 'sqlite' ? loadIndexRows(reader) : loadTrigramIndexes(reader))
  return Map.groupBy(parts, ({ collection }) => collection)
}
