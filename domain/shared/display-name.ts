import { type Result, fail, ok } from './result.ts'

/** In UTF-16 units. */
export const MAX_DISPLAY_NAME = 120

/**
 * Control, format (zero-width and bidirectional), private-use and unassigned characters, and characters without a
 * glyph.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
/** More combining marks than any script uses; they would overlap adjacent lines. */
const STACKED = /\p{M}{8}/u
const MARK_FIRST = /^\p{M}/u

/** Normalizes to NFC, collapses spaces, and trims. */
export const normalDisplayName = (name: string): string =>
  name
    .normalize('NFC')
    .replaceAll(/\p{Zs}+/gu, ' ')
    .trim()

/**
 * Prevents names that look alike: rejects invisible and bidirectional control characters, and requires a visible
 * character.
 */
export function checkDisplayName(given: string): Result<string, string> {
  const name = normalDisplayName(given)
  if (INVISIBLE.test(given)) return fail('Remove invisible characters, such as zero-width or direction marks.')
  if (name === '') return fail('Enter a name.')
  if (name.length > MAX_DISPLAY_NAME) return fail(`Use at most ${MAX_DISPLAY_NAME} characters.`)
  if (MARK_FIRST.test(name) || STACKED.test(name))
    return fail('Use combining marks only on letters, at most 7 in a row.')
  return ok(name)
}
