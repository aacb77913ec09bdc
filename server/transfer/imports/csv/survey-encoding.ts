import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import {
  type EncodingEvidence,
  type Decode,
  type FoundEncoding,
  detectEncoding,
} from '#domain/imports/detect-encoding.ts'
import type { Encoding } from '#domain/imports/encodings.ts'
import { Problem } from '#domain/shared/problem.ts'
import { strictDecoder } from './strict-decoder.ts'

const CHUNK_BYTES = 256 * 1024
/** Enough to see what a file is, and in which alphabet its words are. */
const HEAD_BYTES = 64 * 1024
const NON_ASCII_SAMPLE_BYTES = 32 * 1024
/** A longer line is cut behind a sign that is no part of another in any encoding. */
const LINE_BYTES = 1024

/** What was found, and whether the file could be read as UTF-8. */
type Found = FoundEncoding & { readonly isUtf8: boolean }

/** Finds out how the text of a file is written in bytes; refuses what is no text. The whole file is looked at. */
export async function findEncoding(file: string): Promise<Found> {
  const survey = await surveyBytes(file)
  if (Buffer.from(survey.head.subarray(0, 4)).equals(ZIP)) {
    throw notText('It looks like a spreadsheet or an archive. Save the sheet as “CSV UTF-8” and choose that file.')
  }
  const found = detectEncoding(survey, decode)
  if (found) return { ...found, isUtf8: survey.isUtf8 }
  throw notText('It contains binary data, so it’s another kind of file.')
}

const ZIP = Buffer.from('PK\u0003\u0004')

const notText = (why: string) => new Problem('invalid-csv', `The file is not a CSV. ${why} Nothing was imported.`)

const decode: Decode = (bytes, encoding) => strictDecoder(encoding)(bytes, true) ?? null

/** What the judge of encodings needs to know. */
async function surveyBytes(file: string): Promise<EncodingEvidence> {
  const survey = { head: Buffer.alloc(0), isUtf8: true, hasZero: false }
  const foreign: Buffer[] = []
  let foreignBytes = 0
  let carried: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    if (survey.head.length === 0) survey.head = Buffer.from(chunk.subarray(0, HEAD_BYTES))
    survey.hasZero ||= chunk.includes(0)
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk])
    const end = endOfWholeCharacters(bytes)
    survey.isUtf8 &&= isUtf8(bytes.subarray(0, end))
    carried = survey.isUtf8 ? bytes.subarray(end) : Buffer.alloc(0)
    for (const line of foreignBytes < NON_ASCII_SAMPLE_BYTES ? nonAsciiLines(chunk) : []) {
      foreign.push(line)
      foreignBytes += line.length
      if (foreignBytes >= NON_ASCII_SAMPLE_BYTES) break
    }
  }
  return { ...survey, isUtf8: survey.isUtf8 && carried.length === 0, foreignLines: Buffer.concat(foreign) }
}

const LINE_BREAK = 10
/** Below this no byte belongs to a character of several, in any encoding that is known here. */
const ALWAYS_ALONE = 0x30

/** Lines with more than ASCII. The last one may go on in the next chunk: it is left out, unless it is all there is. */
function* nonAsciiLines(chunk: Buffer): Generator<Buffer> {
  let from = 0
  while (from < chunk.length) {
    const end = chunk.indexOf(LINE_BREAK, from) + 1
    if (end === 0 && from > 0 && chunk.length === CHUNK_BYTES) return
    const line = chunk.subarray(from, end === 0 ? chunk.length : end)
    if (line.some((byte) => byte >= 0x80)) yield Buffer.from(shortened(line))
    from += line.length
  }
}

function shortened(line: Buffer): Buffer {
  if (line.length <= LINE_BYTES) return line
  const start = line.subarray(0, LINE_BYTES)
  return start.subarray(0, start.findLastIndex((byte) => byte < ALWAYS_ALONE) + 1)
}

/** Where the last character that is complete ends: a chunk may cut one in the middle. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < needed ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

/** The first characters of a file, as far as they go. */
export const decodeHead = (bytes: Buffer, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(bytes, { stream: true })
