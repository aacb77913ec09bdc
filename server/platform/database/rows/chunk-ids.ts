/** Maximum IDs per statement or filter: both databases limit parameters. */
const IDS_PER_CHUNK = 500

/** The same without other parameters; SQLite takes 32,766 and PostgreSQL 65,535. */
export const MAX_IDS = 20_000

export function chunkIds(ids: readonly string[], size = IDS_PER_CHUNK): string[][] {
  const parts: string[][] = []
  for (let at = 0; at < ids.length; at += size) parts.push(ids.slice(at, at + size))
  return parts
}
