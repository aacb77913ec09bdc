import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Bucket } from './s3-client.ts'

export type Publication = { readonly path: string; readonly key: string; readonly hash: string; readonly bytes: number }

/** Part size in bytes: accepted by all providers and small enough to resend quickly. */
const PART_BYTES = 8 * 1024 * 1024

/** Maximum number of parts: Amazon allows 10,000, but some providers only 1,000. */
const MAX_PARTS = 1000

const MAX_CONCURRENT_PARTS = 2

const READ_BYTES = 1024 * 1024

/** All parts except the last have the same length, because some providers require it. */
export const partBytesOf = (bytes: number): number =>
  Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS / READ_BYTES) * READ_BYTES)

/**
 * Creates the object. The provider verifies each part's MD5. The whole file is hashed at the same time, and the upload
 * is completed only if the hash matches; until then, the object doesn't exist.
 */
export async function putObject(bucket: Bucket, publication: Publication): Promise<void> {
  const handle = await open(publication.path, 'r')
  try {
    if (publication.bytes <= PART_BYTES) await putWhole(bucket, publication, handle)
    else await putInParts(bucket, publication, handle)
  } finally {
    await handle.close()
  }
}

async function putWhole(bucket: Bucket, publication: Publication, handle: FileHandle): Promise<void> {
  const { key, bytes } = publication
  const whole = createHash('sha256')
  const body = Buffer.allocUnsafeSlow(bytes)
  const md5 = await readPart(handle, body, 0, whole)
  assertHashMatches(publication, whole)
  await bucket.ask(
    bucket.client.send(
      new PutObjectCommand({ Bucket: bucket.name, Key: key, Body: body, ContentLength: bytes, ContentMD5: md5 }),
    ),
  )
}

async function putInParts(bucket: Bucket, publication: Publication, handle: FileHandle): Promise<void> {
  const place = { Bucket: bucket.name, Key: publication.key }
  const { UploadId } = await bucket.ask(bucket.client.send(new CreateMultipartUploadCommand(place)))
  try {
    const whole = createHash('sha256')
    const parts = await sendParts(bucket, { ...publication, uploadId: UploadId ?? '' }, { handle, whole })
    assertHashMatches(publication, whole)
    const complete = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: parts } })
    await bucket.ask(bucket.client.send(complete))
  } catch (error) {
    // If aborting also fails, the next cleanup removes the parts.
    await bucket.client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).then(undefined, () => undefined)
    throw error
  }
}

type Sending = Publication & { readonly uploadId: string }

async function sendParts(
  bucket: Bucket,
  { key, bytes, uploadId }: Sending,
  { handle, whole }: { readonly handle: FileHandle; readonly whole: Hash },
): Promise<CompletedPart[]> {
  const partBytes = partBytesOf(bytes)
  const count = Math.ceil(bytes / partBytes)
  const buffers = Array.from({ length: Math.min(MAX_CONCURRENT_PARTS, count) }, () => Buffer.allocUnsafeSlow(partBytes))
  const parts: CompletedPart[] = []
  let reading: Promise<unknown> = Promise.resolve()
  let next = 0
  let failed = false

  const work = async (buffer: Buffer): Promise<void> => {
    while (next < count && !failed) {
      const at = next
      next += 1
      const body = buffer.subarray(0, Math.min(partBytes, bytes - at * partBytes))
      const read = reading.then(() => readPart(handle, body, at * partBytes, whole))
      reading = read.then(undefined, () => undefined)
      const md5 = await read
      const part = { Bucket: bucket.name, Key: key, UploadId: uploadId, PartNumber: at + 1 }
      const { ETag } = await bucket.ask(
        bucket.client.send(new UploadPartCommand({ ...part, Body: body, ContentLength: body.length, ContentMD5: md5 })),
      )
      parts[at] = { ETag, PartNumber: at + 1 }
    }
  }
  const working = buffers.map((buffer) =>
    work(buffer).then(undefined, (error: unknown) => {
      failed = true
      throw error
    }),
  )
  // Waits for all requests, because no part may be sent after the upload is aborted.
  const outcomes = await Promise.allSettled(working)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return parts
}

async function readPart(handle: FileHandle, into: Buffer, position: number, whole: Hash): Promise<string> {
  const md5 = createHash('md5')
  for (let filled = 0; filled < into.length; ) {
    const length = Math.min(READ_BYTES, into.length - filled)
    const { bytesRead } = await handle.read(into, filled, length, position + filled)
    if (bytesRead === 0) throw new Error('The staged file is shorter than before.')
    const read = into.subarray(filled, filled + bytesRead)
    md5.update(read)
    whole.update(read)
    filled += bytesRead
  }
  return md5.digest('base64')
}

/** Prevents corrupt data from a faulty disk from being stored under the correct hash. */
function assertHashMatches({ hash }: Publication, whole: Hash): void {
  if (whole.digest('hex') !== hash) throw new Error(`The hash of the staged file is no longer ${hash}.`)
}
