import type { Dialect, Reader } from '#server/platform/database/database.ts'
import type { FullTextIndexes } from '#server/query/search/full-text-index.ts'
import { loadIndexRows } from './full-text-store.ts'
import { loadTrigramIndexes } from './trigrams-store.ts'

/** = C514 = */
export async function loadFullTextIndexes(reader: Reader, dialect: Dialect): Promise<FullTextIndexes> {
  const parts = await (dialect === 'sqlite' ? loadIndexRows(reader) : loadTrigramIndexes(reader))
  return Map.groupBy(parts, ({ collection }) => collection)
}
