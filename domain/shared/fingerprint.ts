/**
 * A short name of a text, the same for the same text and hardly ever the same for another: 64 bits of FNV-1a in two
 * halves. It tells things apart; it protects nothing.
 */
export function fingerprint(text: string): string {
  const low = fnv(text, 0x811c9dc5)
  const high = fnv(text, 0x01000193)
  return low.toString(36) + high.toString(36)
}

function fnv(text: string, start: number): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // The last bits are mixed once more, so that texts that differ only in their last letter differ in every digit.
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
}
