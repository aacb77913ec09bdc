/** Most ids one statement or filter names: both databases bound their parameters, and a filter its values. */
const IDS_A_PART = 500

/** Ids in parts small enough for one statement. */
export function inParts(ids: readonly string[]): string[][] {
  const parts: string[][] = []
  for (let at = 0; at < ids.length; at += IDS_A_PART) parts.push(ids.slice(at, at + IDS_A_PART))
  return parts
}
