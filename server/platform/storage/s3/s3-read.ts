import { Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { ByteRange } from '#server/platform/storage/blob-storage.ts'
import { type Bucket, REQUEST_TIMEOUT_MS, storageUnavailable } from './s3-client.ts'

/** Maximum attempts to read a body: an interrupted one resumes at its offset. */
const MAX_ATTEMPTS = 4

/**
 * The bytes from `start` to `end`, both included. Nothing is requested before the first read, and destroying the
 * stream aborts the request.
 */
export function readObject(bucket: Bucket, key: string, range: ByteRange): Readable {
  const hangUp = new AbortController()
  const parts = bytesOf(bucket, { key, ...range, signal: hangUp.signal })
  return new Readable({
    read() {
      parts.next().then(
        ({ done, value }) => this.push(done === true ? null : value),
        (error: unknown) => this.destroy(error instanceof Error ? error : storageUnavailable()),
      )
    },
    destroy(error, done) {
      hangUp.abort()
      done(error)
    },
  })
}

type ObjectRange = ByteRange & { readonly key: string; readonly signal: AbortSignal }

async function* bytesOf(
  bucket: Bucket,
  { key, start, end, signal }: ObjectRange,
): AsyncGenerator<Uint8Array, undefined, undefined> {
  let at = start
  for (let tries = 1; at <= end; tries += 1) {
    if (tries > MAX_ATTEMPTS) throw storageUnavailable()
    const asked = new GetObjectCommand({ Bucket: bucket.name, Key: key, Range: `bytes=${at}-${end}` })
    const { Body } = await bucket.ask(waitForStart((abortSignal) => bucket.client.send(asked, { abortSignal }), signal))
    if (!(Body instanceof Readable)) throw storageUnavailable()
    const parts: AsyncIterator<Uint8Array> = Body[Symbol.asyncIterator]()
    for (let part = await nextPart(parts); part !== undefined; part = await nextPart(parts)) {
      at += part.length
      yield part
    }
  }
}

/** Waits a limited time for the response to start; then it may take its time. */
async function waitForStart<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const tooLate = new AbortController()
  const timer = setTimeout(() => tooLate.abort(), REQUEST_TIMEOUT_MS)
  try {
    return await ask(AbortSignal.any([signal, tooLate.signal]))
  } finally {
    clearTimeout(timer)
  }
}

async function nextPart(parts: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const { done, value } = await parts.next().then(undefined, ended)
  return done === true ? undefined : value
}

const ended = (): IteratorResult<Uint8Array, undefined> => ({ done: true, value: undefined })
