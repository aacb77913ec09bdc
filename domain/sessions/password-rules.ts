import { foldText } from '../shared/fold-text.ts'
import { COMMON_PASSWORD_WORDS, COMMON_SEQUENCES } from './common-passwords.ts'

/** Fewest characters of a password that is the only factor. Source: NIST SP 800-63B-4, 3.1.1.2. */
export const PASSWORD_MIN_CHARACTERS = 15

/** Fewest characters of a password beside which a second factor stands. Source: the same. */
export const PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR = 8

/** Most characters; long enough for every password manager, short enough that hashing cannot be abused. */
const PASSWORD_MAX_CHARACTERS = 1024

/** Why a password is refused. */
export type PasswordFault = 'too-short' | 'too-short-of-two' | 'too-long' | 'too-simple' | 'too-common' | 'holds-email'

/** The sentence for each reason. */
export const PASSWORD_MESSAGES: { readonly [Fault in PasswordFault]: string } = {
  'too-short': `Use at least ${PASSWORD_MIN_CHARACTERS} characters. A few words in a row are easy to remember.`,
  'too-short-of-two': `Use at least ${PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR} characters, even with a second factor.`,
  'too-long': `Use at most ${PASSWORD_MAX_CHARACTERS} characters.`,
  'too-simple': 'This password repeats the same few characters. Use more different characters.',
  'too-common': 'This password uses very common words or sequences. Choose words that are hard to guess.',
  'holds-email': 'Choose a password that doesn’t contain your email address.',
}

/** What is said of a password that stands in the list the server was told to ask; only the server can know. */
export const LEAKED_PASSWORD_MESSAGE = 'This password appears in a list of leaked passwords. Choose another one.'

/** Whose password it is, as far as known; what stands here does not make a password strong. */
export type PasswordOwner = {
  readonly email: string
  readonly name?: string
  /** Whether a second factor is asked for besides, so that the password may be shorter. */
  readonly hasSecondFactor?: boolean
}

const MIN_DIFFERENT_CHARACTERS = 5

/** This many characters that belong to no common word do not make a password of common words better. */
const FREE_CHARACTERS = 3

/** Whether a password is too short to be the only factor. */
export const needsSecondFactor = (password: string): boolean => [...password].length < PASSWORD_MIN_CHARACTERS

/** The one judge of passwords, asked by the form while one types and by the server. No rules on kinds of characters. */
export function checkPassword(password: string, owner: PasswordOwner): 'good' | PasswordFault {
  const characters = [...password]
  if (owner.hasSecondFactor === true) {
    if (characters.length < PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR) return 'too-short-of-two'
  } else if (characters.length < PASSWORD_MIN_CHARACTERS) return 'too-short'
  if (characters.length > PASSWORD_MAX_CHARACTERS) return 'too-long'

  const folded = foldText(password)
  if (owner.email !== '' && folded.includes(foldText(owner.email))) return 'holds-email'
  if (new Set(folded).size < MIN_DIFFERENT_CHARACTERS) return 'too-simple'
  return isMadeOfCommonParts(folded, owner) ? 'too-common' : 'good'
}

function isMadeOfCommonParts(folded: string, owner: PasswordOwner): boolean {
  const text = folded.replace(/[\s\p{P}\p{S}]+/gu, '')
  const own = new Set(foldText(`${owner.email} ${owner.name ?? ''}`).match(/[\p{L}\p{N}]{3,}/gu))
  return (
    minUncommonCharacters(
      text,
      (part) => COMMON_PASSWORD_WORDS.has(part) || own.has(part) || isKeyboardSequence(part),
    ) <= FREE_CHARACTERS
  )
}

/** Five or more characters along a keyboard row or the alphabet, forwards or backwards. */
function isKeyboardSequence(part: string): boolean {
  if (part.length < 5) return false
  const backwards = [...part].reverse().join('')
  return COMMON_SEQUENCES.some((row) => row.includes(part) || row.includes(backwards))
}

const MAX_PART = 40

/** How few characters are left over when as much as possible of the text is covered by common parts. */
function minUncommonCharacters(text: string, isCommon: (part: string) => boolean): number {
  const left = [0]
  for (let end = 1; end <= text.length; end += 1) {
    let min = (left[end - 1] ?? 0) + 1
    for (let start = Math.max(0, end - MAX_PART); start < end; start += 1) {
      const before = left[start] ?? 0
      if (before < min && isCommon(text.slice(start, end))) min = before
    }
    left.push(min)
  }
  return left[text.length] ?? 0
}
