import type { Readable } from 'node:stream'
import { significantDigits } from '#domain/fields/number.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'

/** Most bytes of a JSON body: a bulk change of 10,000 records of ordinary size fits. */
export const JSON_BODY_MAX_BYTES = 12_000_000

/**
 * A body over the limit is still read up to this many times the limit and thrown away, because a client that is cut off
 * while it sends never sees the answer that says why.
 */
const DRAIN_FACTOR = 8

/** A double carries this many decimal digits exactly. */
const MAX_SIGNIFICANT_DIGITS = 15

/** Takes the text of a body in, or answers the refusal of one that is too large. */
export async function readText(stream: Readable, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  // The raw body of a request always comes in buffers: nobody sets an encoding on it.
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= maxBytes) parts.push(part)
    if (bytes > maxBytes * DRAIN_FACTOR) break
  }
  if (bytes > maxBytes) throw tooLarge(maxBytes)
  return Buffer.concat(parts).toString('utf8')
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem(
    'too-large',
    `A request may have ${maxBytes / 1_000_000} MB, and this one has more. Nothing was changed. Send it in smaller parts.`,
  )

/** Any text in quotes (with the name mark behind it when it names a member), or any number. */
const NAME_OR_NUMBER = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Refuses numbers that JavaScript would round while reading them: afterwards nobody could tell. Only a text with a long
 * run of digits is looked at closely.
 */
export function refuseRoundedNumbers(text: string): void {
  if (!/\d[\d.]{15}/.test(text)) return
  const errors: PartProblem[] = []
  let name = ''
  for (const [found, quoted, isName] of text.matchAll(NAME_OR_NUMBER)) {
    if (isName !== undefined) name = quoted ?? ''
    if (quoted === undefined && significantDigits(found) > MAX_SIGNIFICANT_DIGITS) errors.push(tooPrecise(name))
  }
  if (errors.length > 0) throw new Problem('values-invalid', 'A number has more digits than can be kept.', { errors })
}

const tooPrecise = (path: string): PartProblem => ({
  path,
  code: 'too-precise',
  message: `It has more than ${MAX_SIGNIFICANT_DIGITS} significant digits, which would be rounded.`,
})
