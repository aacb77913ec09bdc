/** Most ids one statement or filter names: both databases bound their parameters, and a filter its values. */
const IDS_PER_CHUNK = 500

/** The same where nothing else is bound; SQLite takes 32,766 and PostgreSQL 65,535. So one statement names a whole page's. */
export const MAX_IDS = 20_000

/** Ids in parts small enough for one statement. */
export function chunkIds(ids: readonly string[], size = IDS_PER_CHUNK): string[][] {
  const parts: string[][] = []
  for (let at = 0; at < ids.length; at += size) parts.push(ids.slice(at, at + size))
  return parts
}
