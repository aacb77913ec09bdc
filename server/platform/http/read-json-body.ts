import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { significantDigits } from '#domain/fields/number.ts'
import { MAX_REPORTED, type PartProblem, Problem } from '#domain/shared/problem.ts'

/**
 * Counts JSON values while a body is being received: every array and object, and every comma-separated value after the
 * first.
 */
export type JsonValueCounter = { readonly take: (bytes: Uint8Array) => void; readonly sum: () => number }

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const LIST = 0x5b
const OBJECT = 0x7b

/** The count is meaningless for invalid JSON, which the parser rejects. */
export function createJsonValueCounter(): JsonValueCounter {
  let sum = 0
  let isText = false
  let isTaken = false
  return {
    take: (bytes) => {
      for (const byte of bytes) {
        if (isTaken) isTaken = false
        else if (byte === QUOTE) isText = !isText
        else if (isText) isTaken = byte === BACKSLASH
        else if (byte === COMMA || byte === LIST || byte === OBJECT) sum += 1
      }
    },
    sum: () => sum,
  }
}

/** Maximum bytes in a JSON body; allows a bulk change of 10,000 typical records. */
export const JSON_BODY_MAX_BYTES = 12_000_000

/** Maximum bytes in an unauthenticated body, such as a sign-in or a code. */
export const OPEN_BODY_MAX_BYTES = 100_000

/**
 * Larger bodies are read and discarded up to this multiple of the limit, because a client never sees the error if its
 * connection is closed.
 */
const DRAIN_FACTOR = 8

/** Maximum time in ms to receive a body; enough for 12 MB at 1.6 Mbit/s. */
const MAX_BODY_MS = 60_000

/** A double can represent this many decimal digits exactly. */
const MAX_SIGNIFICANT_DIGITS = 15

/**
 * Maximum values in a JSON body: 10,000 records with forty fields. The size limit alone isn't sufficient, because 12 MB
 * of empty lists take thirty times as long to parse as 12 MB of records.
 */
const MAX_VALUES = 400_000

export async function readText(stream: Readable, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  const values = createJsonValueCounter()
  const endsAt = performance.now() + MAX_BODY_MS
  let bytes = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= maxBytes) {
      parts.push(part)
      values.take(part)
    }
    if (bytes > maxBytes * DRAIN_FACTOR) break
    if (performance.now() > endsAt) throw tooSlow()
  }
  if (bytes > maxBytes) throw tooLarge(maxBytes)
  if (values.sum() > MAX_VALUES) throw tooManyValues()
  return Buffer.concat(parts).toString('utf8')
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem(
    'too-large',
    `A request can be at most ${maxBytes / 1_000_000} MB. Nothing was changed. Send it in smaller parts.`,
  )

const tooManyValues = (): Problem =>
  new Problem(
    'too-large',
    `A request can contain at most ${MAX_VALUES.toLocaleString('en')} values. Nothing was changed. Send it in smaller parts.`,
  )

const tooSlow = (): Problem =>
  new Problem('invalid-request', 'The request took longer than a minute to arrive. Nothing was changed. Try again.')

/** Shorter bodies are parsed without these checks. */
const NAME_CHECK_THRESHOLD = 500_000

/** Number of property names that are sampled. */
const NAMES_SAMPLED = 20_000

/** Maximum distinct names in the sample; more than the fields of several collections. */
const MAX_DISTINCT_NAMES = 2000

const NAME_END = /"\s*:/g

/**
 * Rejects a body with too many distinct property names before parsing, because millions of distinct names would block
 * the event loop.
 */
export function assertFewDistinctNames(text: string): void {
  if (text.length < NAME_CHECK_THRESHOLD) return
  const step = Math.floor(text.length / NAMES_SAMPLED)
  const names = new Set<string>()
  NAME_END.lastIndex = 0
  for (let end = NAME_END.exec(text); end; end = NAME_END.exec(text)) {
    // If the quotation mark is escaped, the match is part of a value, not the end of a property name.
    if (!isEscaped(text, end.index)) names.add(text.slice(startOfString(text, end.index), end.index))
    if (names.size > MAX_DISTINCT_NAMES) throw tooManyNames()
    NAME_END.lastIndex += step
  }
}

const isEscaped = (text: string, quote: number): boolean => backslashesBefore(text, quote) % 2 === 1

function startOfString(text: string, end: number): number {
  let begin = text.lastIndexOf('"', end - 1)
  while (isEscaped(text, begin)) begin = text.lastIndexOf('"', begin - 1)
  return begin
}

const tooManyNames = (): Problem =>
  new Problem(
    'too-large',
    `A request this large can contain at most ${MAX_DISTINCT_NAMES} different property names. Nothing was changed. Send it in smaller parts.`,
  )

/** Yields between the steps of parsing a large body, because each step takes up to 0.1 s. */
export async function yieldBetweenLargeSteps(text: string): Promise<void> {
  if (text.length >= NAME_CHECK_THRESHOLD) await setImmediate()
}

const QUOTE_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

const NAME_MARK = /\s*:/y

const CODE_ZERO = '\\u0000'

/**
 * Rejects values that can't be stored as sent: numbers that JavaScript would round, and U+0000, which PostgreSQL
 * doesn't support. Scans only text that may contain such a value, and matches strings without a regular expression,
 * which would overflow the stack on megabytes of text.
 */
export function assertStorableJson(text: string): void {
  if (!/\d[\d.]{15}|\\u0000/.test(text)) return
  const errors: PartProblem[] = []
  let name = ''
  QUOTE_OR_NUMBER.lastIndex = 0
  for (let found = QUOTE_OR_NUMBER.exec(text); found; found = QUOTE_OR_NUMBER.exec(text)) {
    const isText = found[0] === '"'
    const end = isText ? endOfString(text, found.index) : QUOTE_OR_NUMBER.lastIndex
    const fault = isText ? faultInText(text.slice(found.index, end)) : faultInNumber(found[0])
    NAME_MARK.lastIndex = end
    if (isText && NAME_MARK.test(text)) name = text.slice(found.index + 1, end - 1)
    if (fault) errors.push({ path: name, ...fault })
    if (errors.length === MAX_REPORTED) break
    QUOTE_OR_NUMBER.lastIndex = end
  }
  if (errors.length > 0)
    throw new Problem('values-invalid', 'Some values can’t be stored. Correct them and try again.', { errors })
}

function endOfString(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function backslashesBefore(text: string, at: number): number {
  let begin = at
  while (text[begin - 1] === '\\') begin -= 1
  return at - begin
}

type Fault = Omit<PartProblem, 'path'>

const faultInNumber = (digits: string): Fault | undefined =>
  significantDigits(digits) > MAX_SIGNIFICANT_DIGITS
    ? {
        code: 'too-precise',
        message: `Must have at most ${MAX_SIGNIFICANT_DIGITS} significant digits; more would be rounded.`,
      }
    : undefined

function faultInText(quoted: string): Fault | undefined {
  for (let at = quoted.indexOf(CODE_ZERO); at !== -1; at = quoted.indexOf(CODE_ZERO, at + 1))
    if (!isEscaped(quoted, at))
      return { code: 'control-character', message: 'Contains a null character (U+0000), which can’t be stored.' }
  return undefined
}
