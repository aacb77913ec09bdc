import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import type { S3Settings } from '#server/platform/config/config.ts'
import { createSemaphore } from '#server/platform/concurrency/locks.ts'
import {
  type BlobStorage,
  type ByteRange,
  HASH_PATTERN,
  type ListedBlob,
  openStorageMetadata,
  parseMetadata,
  printMetadata,
  type StorageMetadata,
} from '#server/platform/storage/blob-storage.ts'
import {
  type Bucket,
  HEALTH_CHECK_TIMEOUT_MS,
  openBucket,
  type Report,
  REQUEST_TIMEOUT_MS,
  statusOfS3,
  storageUnavailable,
  withTimeoutSignal,
} from './s3-client.ts'
import { putObject } from './s3-publish.ts'

/** Maximum attempts to read an object; an interrupted read resumes at its offset. */
const MAX_ATTEMPTS = 4

/** The bytes from `start` to `end`, inclusive. Destroying the stream aborts the request. */
function readObject(bucket: Bucket, key: string, range: ByteRange): Readable {
  const hangUp = new AbortController()
  const parts = readBytes(bucket, { key, ...range, signal: hangUp.signal })
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

async function* readBytes(
  bucket: Bucket,
  { key, start, end, signal }: ObjectRange,
): AsyncGenerator<Uint8Array, undefined, undefined> {
  let at = start
  for (let tries = 1; at <= end; tries += 1) {
    if (tries > MAX_ATTEMPTS) throw storageUnavailable()
    const requested = new GetObjectCommand({ Bucket: bucket.name, Key: key, Range: `bytes=${at}-${end}` })
    const { Body } = await bucket.ask(
      waitForStart((abortSignal) => bucket.client.send(requested, { abortSignal }), signal),
    )
    if (!(Body instanceof Readable)) throw storageUnavailable()
    const parts: AsyncIterator<Uint8Array> = Body[Symbol.asyncIterator]()
    for (let part = await nextPart(parts); part !== undefined; part = await nextPart(parts)) {
      at += part.length
      yield part
    }
  }
}

/** Limits the time until the response starts, but not its duration. */
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

/**
 * Status codes returned if the object exists (412) or is being written (409), or if conditional requests aren't
 * supported (400, 501).
 */
const ALREADY_THERE: ReadonlySet<number> = new Set([409, 412])
const NO_CONDITIONS: ReadonlySet<number> = new Set([400, 501])

function openS3Metadata(bucket: Bucket, key: string): StorageMetadata {
  const place = { Bucket: bucket.name, Key: key }
  const read = async (): Promise<string | undefined> => {
    const requested = bucket.client.send(new GetObjectCommand(place), withTimeoutSignal())
    return parseMetadata(await bucket.askIfThere(requested.then(({ Body }) => Body?.transformToString())))
  }
  const put = async (text: string, condition: { readonly IfNoneMatch?: '*' }): Promise<void> => {
    const body = Buffer.from(printMetadata(text))
    const md5 = createHash('md5').update(body).digest('base64')
    const object = { ...place, Body: body, ContentLength: body.length, ContentMD5: md5, ...condition }
    await bucket.client.send(new PutObjectCommand(object), withTimeoutSignal())
  }
  const putUnlessThere = async (text: string): Promise<void> => {
    try {
      await put(text, { IfNoneMatch: '*' })
    } catch (error) {
      if (ALREADY_THERE.has(statusOfS3(error))) return
      if (!NO_CONDITIONS.has(statusOfS3(error))) throw error
      await put(text, {})
    }
  }
  return {
    read,
    claim: async (text) => {
      const found = await read()
      if (found !== undefined) return found
      await bucket.ask(putUnlessThere(text))
      if ((await read()) === undefined) await bucket.ask(put(text, {}))
      return read()
    },
    replace: (text) => bucket.ask(put(text, {})),
  }
}

/** Concurrent uploads; each holds two 8 MiB parts in memory. */
const MAX_CONCURRENT = 2

/** Maximum number of times an object is stored again if it is missing afterwards. */
const MAX_REPUTS = 2

export function openS3Storage(place: S3Settings, report: Report): BlobStorage {
  const bucket = openBucket(place, report)
  const gate = createSemaphore(MAX_CONCURRENT)
  const keyOf = (hash: string): string => {
    if (!HASH_PATTERN.test(hash)) throw new Error('A blob name must be a SHA-256 hash in hex.')
    return folderOf(bucket) + hash
  }
  const publish: BlobStorage['publish'] = async (path, hash) => {
    const [key, { size: bytes }] = [keyOf(hash), await stat(path)]
    // A late removal by another server can delete the object; only the database row determines whether it must exist.
    for (let put = 0; put <= MAX_REPUTS; put += 1) {
      if ((await bytesOf(bucket, key)) === bytes) return
      await gate.run(() => putObject(bucket, { path, key, hash, bytes }))
    }
    if ((await bytesOf(bucket, key)) === bytes) return
    report(new Error(`The store accepted ${key}, but the stored size is wrong.`))
    throw storageUnavailable()
  }
  return {
    publish,
    pathOf: () => undefined,
    open: async (hash) => {
      const key = keyOf(hash)
      const bytes = await bytesOf(bucket, key)
      if (bytes === undefined) return undefined
      return { bytes, read: (range) => readObject(bucket, key, range ?? { start: 0, end: bytes - 1 }) }
    },
    remove: async (hash) => {
      const deleted = bucket.client.send(
        new DeleteObjectCommand({ Bucket: bucket.name, Key: keyOf(hash) }),
        withTimeoutSignal(),
      )
      await bucket.askIfThere(deleted)
      return true
    },
    ...openStorageMetadata((name) => openS3Metadata(bucket, folderOf(bucket) + name)),
    list: () => listObjects(bucket),
    removeHalves: (before) => abortUploads(bucket, before),
    check: async () => {
      const looking = bucket.client.send(
        new ListObjectsV2Command({ Bucket: bucket.name, MaxKeys: 1 }),
        withTimeoutSignal(HEALTH_CHECK_TIMEOUT_MS),
      )
      await bucket.ask(looking)
    },
  }
}

const folderOf = ({ prefix }: Bucket): string => `${prefix}blobs/`

async function bytesOf(bucket: Bucket, key: string): Promise<number | undefined> {
  const requested = bucket.client.send(new HeadObjectCommand({ Bucket: bucket.name, Key: key }), withTimeoutSignal())
  return (await bucket.askIfThere(requested))?.ContentLength
}

async function* listObjects(bucket: Bucket): AsyncGenerator<ListedBlob> {
  const Prefix = folderOf(bucket)
  for (let token: string | undefined, isMore = true; isMore; ) {
    const page = await bucket.ask(
      bucket.client.send(new ListObjectsV2Command({ Bucket: bucket.name, Prefix, ContinuationToken: token })),
    )
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
      const hash = Key.slice(Prefix.length)
      if (HASH_PATTERN.test(hash)) yield { hash, bytes: Size, storedAt: LastModified }
    }
    token = page.NextContinuationToken
    isMore = token !== undefined
  }
}

/** Aborts incomplete multipart uploads, which cost money and don't appear in object listings. */
async function abortUploads(bucket: Bucket, before: Date): Promise<void> {
  const place = { Bucket: bucket.name, Prefix: folderOf(bucket) }
  for (let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}; marker !== undefined; ) {
    const page: ListMultipartUploadsCommandOutput = await bucket.ask(
      bucket.client.send(new ListMultipartUploadsCommand({ ...place, ...marker })),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      // An object with a longer prefix may belong to another workspace.
      const isBlob = HASH_PATTERN.test(Key?.slice(place.Prefix.length) ?? '')
      if (!isBlob || Initiated === undefined || Initiated >= before) continue
      const abort = new AbortMultipartUploadCommand({ Bucket: bucket.name, Key, UploadId })
      await bucket.askIfThere(bucket.client.send(abort))
    }
    marker = nextOf(page)
  }
}

const nextOf = ({ IsTruncated, NextKeyMarker, NextUploadIdMarker }: ListMultipartUploadsCommandOutput) =>
  IsTruncated === true && NextKeyMarker !== undefined
    ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }) }
    : undefined
