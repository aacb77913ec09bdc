import type { Field } from '../../fields/field.ts'
import type { Json } from '../../shared/json.ts'

/**
 * A cache key for checked queries: equal for equal parts, and never for others. Permissions, time and time zone are
 * resolved in a checked query, so two actors share a key only if they get the same response. Not hashed, because a
 * crafted collision would leak results. Fields are identified by ID, so a key is valid for one version of the
 * definitions.
 */
export const identityOf = (...parts: readonly unknown[]): string => JSON.stringify(parts, plain)

/** Values that JSON drops must be distinguished too. */
function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'bigint')
    throw new TypeError('A checked query must be plain data.')
  if (value instanceof Set || value instanceof Map) return [...value] as Json
  return isField(value) ? value.id : value
}

const isField = (value: unknown): value is Field =>
  typeof value === 'object' && value !== null && 'kind' in value && 'options' in value && 'id' in value

/** A 64-bit non-cryptographic hash (FNV-1a in two halves); for identification, not security. */
export function fingerprint(text: string): string {
  const low = fnv(text, 0x811c9dc5)
  const high = fnv(text, 0x01000193)
  return low.toString(36) + high.toString(36)
}

function fnv(text: string, start: number): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // Mixes the last bits, so texts that differ in the last character differ in every digit.
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
}
