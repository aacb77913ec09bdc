import { Transform } from 'node:stream'
import { ENCODINGS, type Encoding } from '#domain/imports/encodings.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Turns the bytes of a file into UTF-8, strictly: what does not fit the encoding is refused, never replaced. */
export function toUtf8(encoding: Encoding): Transform {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let bytesBefore = 0
  const decoded = (chunk: Buffer, isLast: boolean): string | undefined => {
    try {
      return decoder.decode(chunk, { stream: !isLast })
    } catch {
      return undefined
    }
  }
  const pass = (chunk: Buffer, isLast: boolean): Buffer => {
    const text = decoded(chunk, isLast)
    // No text has a zero: where one is read, the encoding is another.
    if (text === undefined || text.includes('\0')) throw doesNotFit(encoding, bytesBefore)
    bytesBefore += chunk.length
    return Buffer.from(text)
  }
  return new Transform({
    transform: (chunk: Buffer, _, done) => attempt(() => pass(chunk, false), done),
    flush: (done) => attempt(() => pass(Buffer.alloc(0), true), done),
  })
}

function attempt(work: () => Buffer, done: (error?: Error | null, bytes?: Buffer) => void): void {
  let bytes: Buffer
  try {
    bytes = work()
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)))
  }
  done(null, bytes)
}

/** The text is written in another way than was said. */
const doesNotFit = (encoding: Encoding, byte: number) =>
  new Problem(
    'invalid-csv',
    `The text is not in ${ENCODINGS[encoding]}: behind byte ${byte.toLocaleString('en')} there is something that does not fit. Choose another encoding. Nothing was imported.`,
  )
