import { type Result, fail, ok } from './result.ts'

/** Longest display name, in UTF-16 units. */
export const MAX_DISPLAY_NAME = 120

/** Control, format (zero-width, bidirectional), private and unassigned characters, and what a font may draw as nothing. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
/** More marks on one letter than any script stacks; they cover the lines around them. */
const STACKED = /\p{M}{8}/u
const MARK_FIRST = /^\p{M}/u

/** The form in which a name is kept: one way to write each letter, plain single spaces inside, none around. */
export const normalDisplayName = (name: string): string =>
  name
    .normalize('NFC')
    .replaceAll(/\p{Zs}+/gu, ' ')
    .trim()

/**
 * A name that stands for a person or a role, in the form it is kept in; or why it is refused. Two names that look alike
 * must be alike: nothing invisible, nothing that turns the text around, and something to see.
 */
export function checkDisplayName(given: string): Result<string, string> {
  const name = normalDisplayName(given)
  if (INVISIBLE.test(given)) return fail('Remove invisible characters, such as zero-width or direction marks.')
  if (name === '') return fail('Enter a name.')
  if (name.length > MAX_DISPLAY_NAME) return fail(`Use at most ${MAX_DISPLAY_NAME} characters.`)
  if (MARK_FIRST.test(name) || STACKED.test(name)) return fail('Use combining marks only on letters, and only a few.')
  return ok(name)
}
