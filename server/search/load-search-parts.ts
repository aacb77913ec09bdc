import type { Reader } from '#server/database/database.ts'
import type { SearchParts } from '#server/query/search-part.ts'
import { loadParts } from './store.ts'

/** The full-text indexes of every collection; part of the definitions, since whatever changes them changes these. */
export const loadSearchParts = async (reader: Reader): Promise<SearchParts> =>
  Map.groupBy(await loadParts(reader), ({ collection }) => collection)
