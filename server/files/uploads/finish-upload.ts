import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Asset } from '#domain/assets/asset.ts'
import { classifyPicture, isPictureType } from '#domain/assets/picture-limits.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { type FileField, fileOptionsOf } from '#domain/fields/files.ts'
import { checkArrivedFile, type FileFault } from '#domain/uploads/file-rules.ts'
import { sniffedEnding } from '#domain/uploads/file-types.ts'
import { type DeclaredFile, expiryFrom, type Upload, type UploadTarget } from '#domain/uploads/upload.ts'
import { claimBlob, confirmBlob } from '#server/files/blobs/blob-store.ts'
import { stripLocation } from '#server/files/images/strip-location.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { assertWithinQuota } from './assert-capacity.ts'
import { detectFileType } from './detect-file-type.ts'
import { findUpload, insertAsset, setUploadState } from './store.ts'
import type { UploadDeps } from './upload-deps.ts'

/** A local file to publish as a blob. */
export type NewBlob = { readonly path: string; readonly hash: string; readonly bytes: number }

/** Maximum retries while the blob is being removed. */
const MAX_CLAIM_ATTEMPTS = 20
const CLAIM_RETRY_MS = 250

/** Maximum attempts to publish a blob if its claim expires before its bytes are stored. */
const MAX_PUBLISH_ATTEMPTS = 3

/**
 * Publishes a blob and links it in one transaction. The row is authoritative for all processes: it is claimed before
 * the bytes are stored and confirmed together with the link, so a cleanup either sees that the blob is referenced or
 * removes it before anything references it.
 */
export async function publishBlob(
  deps: Pick<UploadDeps, 'blobs' | 'blobTurns' | 'clock' | 'database'>,
  { path, hash, bytes }: NewBlob,
  sayWhatFor: (transaction: Transaction, now: Date) => Promise<void>,
): Promise<void> {
  const claim = (): Promise<boolean> =>
    deps.database.write((transaction) => claimBlob(transaction, { hash, bytes, at: deps.clock().toISOString() }))

  const keep = (): Promise<boolean> =>
    deps.database.write(async (transaction) => {
      const now = deps.clock()
      const isKept = await confirmBlob(transaction, hash, now.toISOString())
      if (isKept) await sayWhatFor(transaction, now)
      return isKept
    })

  await deps.blobTurns.take(hash, async () => {
    for (let tries = 0; tries < MAX_PUBLISH_ATTEMPTS; tries += 1) {
      await claimWithRetry(claim)
      await deps.blobs.publish(path, hash)
      if (await keep()) return
    }
    throw beingRemoved()
  })
}

async function claimWithRetry(claim: () => Promise<boolean>): Promise<void> {
  for (let requested = 0; requested < MAX_CLAIM_ATTEMPTS; requested += 1) {
    if (await claim()) return
    await pause(CLAIM_RETRY_MS)
  }
  throw beingRemoved()
}

const beingRemoved = (): Problem =>
  new Problem('storage-away', 'An old copy of this file is being deleted. Try again in a moment.', {
    retryAfterSeconds: 60,
  })

type StagedBytes = { readonly id: string; readonly bytes: number }

/** Larger than any camera image; images up to this size are held in memory. */
const MAX_PICTURE_BYTES = 200_000_000

const READ_TIMEOUT_MS = 30_000

/**
 * The bytes to store: the original, or a copy without location if the field requires it. The copy is staged under its
 * own ID, so that a cleanup finds it after an interruption; the original is kept until the file is stored.
 */
async function stripLocationFromUpload(
  { staging, newId }: Pick<UploadDeps, 'staging' | 'newId'>,
  { id, file, type }: { readonly id: string; readonly file: DeclaredFile; readonly type: string },
  field: FileField,
): Promise<Result<StagedBytes, FileFault>> {
  const own = { id, bytes: file.bytes }
  if (fileOptionsOf(field).stripLocation !== true || !type.startsWith('image/') || type === 'image/svg+xml')
    return ok(own)
  if (file.bytes > MAX_PICTURE_BYTES) return fail(tooLarge(file))
  const stripped = await stripLocation(await readFile(staging.pathOf(id)))
  if (!stripped.hadLocation) return ok(own)

  const copy = { id: newId(), bytes: stripped.bytes.length }
  await staging.append(copy.id, Readable.from([stripped.bytes]), {
    offset: 0,
    skip: 0,
    size: copy.bytes,
    onBytes: () => undefined,
    idleTimeoutMs: () => READ_TIMEOUT_MS,
  })
  return ok(copy)
}

const tooLarge = ({ name }: DeclaredFile): FileFault => ({
  code: 'too-large',
  message: `“${name}” is larger than ${MAX_PICTURE_BYTES / 1_000_000} MB. This field removes location data from photos, which isn’t possible for files this large. Choose a smaller file or another field.`,
})

/** A completely received file. */
export type ArrivedFile = {
  readonly id: string
  readonly userId: UserId | null
  readonly target: UploadTarget
  readonly file: DeclaredFile
}

/**
 * Turns a complete upload into a file. Idempotent, because the staged bytes are removed last. The caller must hold the
 * upload's lock; another process may run this concurrently and then finds the upload already finished.
 */
export async function finishUpload(deps: UploadDeps, upload: Upload, field: FileField): Promise<Upload> {
  const finished = await storeArrivedFile(deps, upload, field, (transaction) =>
    assertWithinQuota(transaction, upload.file),
  ).then(undefined, async (error: unknown) => {
    const now = await findUpload(deps.database.read, upload.id)
    if (now?.state !== 'ready') throw error
    return ok(now)
  })
  deps.hashes.drop(upload.id)
  if (finished.ok) return { ...upload, state: 'ready' }
  throw await rejectUpload(deps, upload, finished.fault)
}

/** Ends a rejected upload and returns the response for the client. The caller must hold the upload's lock. */
export async function rejectUpload(deps: UploadDeps, { id }: Upload, fault: FileFault): Promise<Problem> {
  deps.hashes.drop(id)
  await deps.database.write((transaction) => setUploadState(transaction, id, 'failed'))
  await deps.staging.remove(id)
  return new Problem(fault.code, fault.message)
}

/** Throws inside the transaction if there is no space for the file. */
type AssertCapacity = (transaction: Transaction) => Promise<void>

/** Verifies a file's contents, publishes them and creates the file row; removes the staged bytes last. */
export async function storeArrivedFile(
  deps: UploadDeps,
  arrived: ArrivedFile,
  field: FileField,
  refuse?: AssertCapacity,
): Promise<Result<Asset, FileFault>> {
  const { id, file } = arrived
  const path = deps.staging.pathOf(id)
  const evidence = await detectFileType(path)
  const type = checkArrivedFile(fileOptionsOf(field), file, evidence)
  if (!type.ok) return type
  const measured = await measurePicture(deps, arrived, type.value)
  if (!measured.ok) return measured

  const kept = await stripLocationFromUpload(deps, { id, file, type: type.value }, field)
  if (!kept.ok) return kept
  const asset: Asset = {
    id,
    userId: arrived.userId,
    hash: await hashOf(deps, id, kept.value),
    name: file.name,
    type: type.value,
    bytes: kept.value.bytes,
    ...measured.value,
    collection: arrived.target.collection,
    field: arrived.target.field,
    record: null,
  }
  try {
    const source = { path: deps.staging.pathOf(kept.value.id), refuse }
    await publish(deps, { ...asset, ending: sniffedEnding(evidence) }, source)
  } finally {
    if (kept.value.id !== id) await deps.staging.remove(kept.value.id)
  }
  await deps.staging.remove(id)
  return ok(asset)
}

/** Uses the running hash if available; otherwise hashes the staged bytes. */
const hashOf = async ({ hashes, staging }: UploadDeps, id: string, kept: StagedBytes): Promise<string> =>
  (kept.id === id ? hashes.at(id, kept.bytes)?.digest('hex') : undefined) ?? (await staging.hashOf(kept.id))

/** Publishes the blob before the file row exists; no cleanup can run in between. */
const publish = (
  deps: UploadDeps,
  asset: Asset & { readonly ending: string | null },
  { path, refuse }: { readonly path: string; readonly refuse: AssertCapacity | undefined },
): Promise<void> =>
  publishBlob(deps, { path, hash: asset.hash, bytes: asset.bytes }, async (transaction, now) => {
    // Writes in the same order as the cleanup, to avoid deadlocks.
    await setUploadState(transaction, asset.id, 'ready')
    await insertAsset(transaction, asset, now.toISOString(), expiryFrom(now))
    await refuse?.(transaction)
  })

type Size = Pick<Asset, 'width' | 'height'>

const NO_DIMENSIONS: Size = { width: null, height: null }

/** Reads the image header: rejects decompression bombs; images that are too large to open are stored as plain files. */
async function measurePicture(
  { pictures, staging }: UploadDeps,
  { id, file }: ArrivedFile,
  type: string,
): Promise<Result<Size, FileFault>> {
  const header = isPictureType(type) ? await pictures.header(staging.pathOf(id)) : undefined
  if (header === undefined) return ok(NO_DIMENSIONS)
  const outcome = classifyPicture(header, file.bytes)
  if (outcome === 'bomb') return fail(decompressionBomb(file, header))
  return ok(outcome === 'picture' ? { width: header.width, height: header.height } : NO_DIMENSIONS)
}

const decompressionBomb = (
  { name }: DeclaredFile,
  { width, height }: { width: number; height: number },
): FileFault => ({
  code: 'file-type-refused',
  message: `“${name}” claims to be an image of ${width} × ${height} pixels, which doesn’t match its file size. It could be harmful and was rejected.`,
})
