import type { Dialect, Reader } from '#server/database/database.ts'
import type { SearchParts } from '#server/query/search-part.ts'
import { loadParts } from './store.ts'
import { loadTrigramIndexes } from './trigrams-store.ts'

/** The full-text indexes of every collection; part of the definitions, since whatever changes them changes these. */
export async function loadSearchParts(reader: Reader, dialect: Dialect): Promise<SearchParts> {
  const parts = await (dialect === 'sqlite' ? loadParts(reader) : loadTrigramIndexes(reader))
  return Map.groupBy(parts, ({ collection }) => collection)
}
