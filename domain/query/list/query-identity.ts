import type { Field } from '../../fields/field.ts'
import type { Json } from '../../shared/json.ts'

/**
 * Parts of checked queries as one text: the same for the same parts, and never the same for others. All that an actor's
 * rights, clock and time zone decide is resolved in a checked query, so two actors share a text only where they would be
 * answered the same. Fields are told by their ids: it counts for one version of the definitions.
 *
 * It is whole and no digest: what was found for one actor must not be handed to another who could craft a collision.
 */
export const identityOf = (...parts: readonly unknown[]): string => JSON.stringify(parts, plain)

/** What JSON would leave out in silence must be told apart as well. */
function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'bigint')
    throw new TypeError('A checked query must be plain data.')
  if (value instanceof Set || value instanceof Map) return [...value] as Json
  return isField(value) ? value.id : value
}

const isField = (value: unknown): value is Field =>
  typeof value === 'object' && value !== null && 'kind' in value && 'options' in value && 'id' in value

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
