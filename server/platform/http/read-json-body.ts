import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { significantDigits } from '#domain/fields/number.ts'
import { MAX_REPORTED, type PartProblem, Problem } from '#domain/shared/problem.ts'
import { createJsonValueCounter } from './json-value-counter.ts'

/** Most bytes of a JSON body: a bulk change of 10,000 records of ordinary size fits. */
export const JSON_BODY_MAX_BYTES = 12_000_000

/** Most bytes of what strangers send: a sign-in, a proof, a code. To read a million names takes seconds, whoever sends them. */
export const OPEN_BODY_MAX_BYTES = 100_000

/**
 * A body over the limit is still read up to this many times the limit and thrown away, because a client that is cut off
 * while it sends never sees the answer that says why.
 */
const DRAIN_FACTOR = 8

/** Who sends a body of JSON slower than this, in ms, holds a connection and means nothing well: 12 MB at 1.6 Mbit/s are through. */
const MAX_BODY_MS = 60_000

/** A double carries this many decimal digits exactly. */
const MAX_SIGNIFICANT_DIGITS = 15

/**
 * Most values in a JSON body: 10,000 records of forty fields, or the longest documents that are kept. Bytes say little about
 * what it takes to read them: 12 MB of empty lists take thirty times as long as 12 MB of records.
 */
const MAX_VALUES = 400_000

/** Takes the text of a body in, or answers the refusal of one that is too large. */
export async function readText(stream: Readable, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  const values = createJsonValueCounter()
  const endsAt = performance.now() + MAX_BODY_MS
  let bytes = 0
  // The raw body of a request always comes in buffers: nobody sets an encoding on it.
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

/** A body of fewer letters may have as many names in it as it likes, and is read in one go. */
const NAME_CHECK_THRESHOLD = 500_000

/** So many names of a body are looked at, all over it. */
const NAMES_SAMPLED = 20_000

/** More names that differ than a few collections have fields. */
const MAX_DISTINCT_NAMES = 2000

/** Where a text ends, and is a name. */
const NAME_END = /"\s*:/g

/**
 * Refuses a large body of names that all differ, before it is read: what is a moment's work where they are the fields of a
 * collection, again and again, holds everybody up for seconds where each of them is new.
 */
export function assertFewDistinctNames(text: string): void {
  if (text.length < NAME_CHECK_THRESHOLD) return
  const step = Math.floor(text.length / NAMES_SAMPLED)
  const names = new Set<string>()
  NAME_END.lastIndex = 0
  for (let end = NAME_END.exec(text); end; end = NAME_END.exec(text)) {
    // A quote behind a backslash is none: these are words of a value.
    if (!isEscaped(text, end.index)) names.add(text.slice(startOfString(text, end.index), end.index))
    if (names.size > MAX_DISTINCT_NAMES) throw tooManyNames()
    NAME_END.lastIndex += step
  }
}

const isEscaped = (text: string, quote: number): boolean => backslashesBefore(text, quote) % 2 === 1

/** Where a text begins that ends at a quote. */
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

/** Between two steps of reading a large body others get their turn: each takes up to a tenth of a second. */
export async function yieldBetweenLargeSteps(text: string): Promise<void> {
  if (text.length >= NAME_CHECK_THRESHOLD) await setImmediate()
}

/** Where a text begins, or a whole number. */
const QUOTE_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The mark between a name and its value. */
const NAME_MARK = /\s*:/y

/** The character of code 0 as JSON writes it; behind a backslash that is meant as one, it is just these letters. */
const CODE_ZERO = '\\u0000'

/**
 * Refuses what could not be kept as it was sent: numbers that JavaScript would round while reading them, because afterwards
 * nobody could tell, and the character of code 0, which PostgreSQL cannot even be asked for. Only a text in which there may be
 * one is looked at closely. It is walked by hand: one expression for a text in quotes runs out of stack on some megabytes of them.
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
  if (errors.length > 0) throw new Problem('values-invalid', 'Some values can’t be stored as sent.', { errors })
}

/** Where a text in quotes ends, in JSON that was understood: behind the first quote that no backslash takes. */
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
        message: `Has more than ${MAX_SIGNIFICANT_DIGITS} significant digits and would be rounded.`,
      }
    : undefined

function faultInText(quoted: string): Fault | undefined {
  for (let at = quoted.indexOf(CODE_ZERO); at !== -1; at = quoted.indexOf(CODE_ZERO, at + 1))
    if (!isEscaped(quoted, at))
      return { code: 'control-character', message: 'Contains a character that can’t be stored (code 0).' }
  return undefined
}
