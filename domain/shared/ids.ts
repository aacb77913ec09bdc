/** Ids are opaque strings, made by the server, never changed and never reused. */
export type CollectionId = string
/** Names one field for good; its column is derived from it, so the field can be renamed freely. */
export type FieldId = string
/** Names one record. Ids of records sort in the order of their making. */
export type RecordId = string
/** Names one user. */
export type UserId = string
/** Names one signed-in device. */
export type SessionId = string
/** Names one finished file; it is the id its upload was answered with. */
export type AssetId = string
/** Names one choice of a select field. */
export type ChoiceId = string

/** Crockford's base 32 in lower case: no letters that are mistaken for digits, and its order is byte order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

/** What every id of ours looks like: 10 digits of time in ms and 16 of chance (80 bits). */
export const ID_PATTERN = /^[0-9a-hjkmnp-tv-z]{26}$/

/** Makes ids that sort in the order of their making, even within one millisecond. */
export type IdMaker = () => string

/**
 * An id maker from a clock (ms since 1970) and a source of random bytes. Within one millisecond, or when the clock
 * steps back, the last id is counted up by one instead of drawing anew, so ids of one maker never go backwards.
 */
export function idMaker(nowMs: () => number, randomBytes: (count: number) => Uint8Array): IdMaker {
  let lastMs = -1
  let digits: number[] = []

  return () => {
    const ms = nowMs()
    if (ms > lastMs) {
      lastMs = ms
      digits = Array.from(randomBytes(RANDOM_DIGITS), (byte) => byte & 31)
    } else if (!countUp(digits)) {
      lastMs += 1
    }
    return timeDigits(lastMs) + digits.map((digit) => ALPHABET[digit]).join('')
  }
}

function timeDigits(ms: number): string {
  let rest = ms
  let text = ''
  for (let place = 0; place < TIME_DIGITS; place += 1) {
    text = ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Adds one in place; false when all digits ran over to zero. */
function countUp(digits: number[]): boolean {
  for (let place = digits.length - 1; place >= 0; place -= 1) {
    const next = ((digits[place] ?? 0) + 1) % 32
    digits[place] = next
    if (next !== 0) return true
  }
  return false
}
