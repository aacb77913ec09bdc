/** Ids are opaque strings, made by the server, never changed and never reused. */
export type CollectionId = string
/** Names one field for good; its column is derived from it, so the field can be renamed freely. */
export type FieldId = string
/** Names one record. Ids of records sort in the order of their making. */
export type RecordId = string
/** Names one user. */
export type UserId = string
/** Names one role. */
export type RoleId = string
/** Names one policy. */
export type PolicyId = string
/** Names one grant of a policy. */
export type GrantId = string
/** Names one example of a policy. */
export type ExampleId = string
/** Names one signed-in device. */
export type SessionId = string
/** Names one finished file; it is the id its upload was answered with. */
export type AssetId = string
/** Names one choice of a select field. */
export type OptionId = string

/** Crockford's base 32 in lower case: no letters that are mistaken for digits, and its order is byte order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_DIGITS = 10
/** The digits behind the time that count up within one millisecond; with the time they make a record's number. */
const COUNT_DIGITS = 4
const RANDOM_DIGITS = 12

const DIGIT_BITS = 5
const COUNTS_PER_MS = 2 ** (COUNT_DIGITS * DIGIT_BITS)

/** What every id of ours looks like: 10 digits of time in ms, 4 that count, and 12 of chance (60 bits). */
export const ID_PATTERN = /^[0-9a-hjkmnp-tv-z]{26}$/

/** Makes ids that sort in the order of their making, even within one millisecond. */
export type IdGenerator = () => string

/**
 * An id maker from a clock (ms since 1970) and a source of random bytes. Within one millisecond, or when the clock
 * steps back, the count goes up by one; it begins at random in its lower half, so it hardly ever runs over, and then
 * the time goes on. So ids of one maker never go backwards, and no two share the first 14 digits; see `seqOf`.
 */
export function createIdGenerator(nowMs: () => number, randomBytes: (count: number) => Uint8Array): IdGenerator {
  let lastMs = -1
  let lastTime = ''
  let count = 0
  const draw = drawer(randomBytes)

  return () => {
    const ms = nowMs()
    const { bytes, from } = draw()
    count += 1
    if (ms > lastMs || count === COUNTS_PER_MS) {
      lastMs = Math.max(ms, lastMs + 1)
      lastTime = digitsOf(lastMs, TIME_DIGITS)
      count = drawCount(bytes, from)
    }
    let rest = (PAIRS[count >> (2 * DIGIT_BITS)] ?? '') + (PAIRS[count % PAIRS.length] ?? '')
    for (let at = from + COUNT_DIGITS; at < from + BYTES_PER_ID; at += 2) rest += pairOf(bytes, at)
    return lastTime + rest
  }
}

/** Every two digits there are: ids are made in great numbers, and two digits at a time are half the work. */
const PAIRS = Array.from(ALPHABET, (first) => Array.from(ALPHABET, (second) => first + second)).flat()

/** Two digits of chance. */
const pairOf = (bytes: Uint8Array, at: number): string =>
  PAIRS[((bytes[at] ?? 0) % ALPHABET.length) * ALPHABET.length + ((bytes[at + 1] ?? 0) % ALPHABET.length)] ?? ''

const BYTES_PER_ID = COUNT_DIGITS + RANDOM_DIGITS
/** Ids whose chance is drawn at once: asking for it costs more than the id. */
const IDS_PER_DRAW = 64

/** Random bytes, and where those begin that are for one id. */
type Drawn = { bytes: Uint8Array; from: number }

/** Hands out the random bytes of one id after the other. */
function drawer(randomBytes: (count: number) => Uint8Array): () => Readonly<Drawn> {
  const drawn: Drawn = { bytes: new Uint8Array(), from: 0 }
  return () => {
    drawn.from += BYTES_PER_ID
    if (drawn.from + BYTES_PER_ID > drawn.bytes.length) {
      drawn.bytes = Uint8Array.from(randomBytes(BYTES_PER_ID * IDS_PER_DRAW))
      drawn.from = 0
    }
    return drawn
  }
}

/** What the ids made from an instant on begin with, or stand behind: so things are found by when they were made. */
export const idLowerBound = (ms: number): string => digitsOf(Math.max(0, ms), TIME_DIGITS)

/** A count from the lower half. */
function drawCount(bytes: Uint8Array, from: number): number {
  let drawn = 0
  for (let at = from; at < from + COUNT_DIGITS; at += 1)
    drawn = drawn * ALPHABET.length + ((bytes[at] ?? 0) % ALPHABET.length)
  return Math.floor(drawn / 2)
}

function digitsOf(number: number, places: number): string {
  let rest = number
  let text = ''
  for (let place = 0; place < places; place += 1) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

/**
 * The number a new record gets in its table: the first 14 digits of its id as one whole number, so numbers stand in the
 * order of ids. It is beyond 2^53 and below 2^63 (until the year 2248), so it is text here and is never read back.
 * Records older than these numbers have others in the same order: a record's number is looked up by its id.
 */
export function seqOf(id: RecordId): string {
  const high = readDigits(id, 0, COUNT_DIGITS)
  const low = readDigits(id, COUNT_DIGITS, TIME_DIGITS + COUNT_DIGITS)
  return String((BigInt(high) << LOW_BITS) | BigInt(low))
}

const LOW_BITS = BigInt(TIME_DIGITS * DIGIT_BITS)

/** What each character counts as a digit; none but those of the alphabet count anything. */
const COUNTS = Array.from({ length: 128 }, (_, code) => Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))))

function readDigits(id: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at += 1) number = number * ALPHABET.length + (COUNTS[id.charCodeAt(at)] ?? 0)
  return number
}
