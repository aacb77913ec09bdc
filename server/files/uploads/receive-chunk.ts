import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import {
  type Chunk,
  DEFAULT_FILE_NAME,
  type Upload,
  cleanFileName,
  decideChunk,
  renewedExpiry,
} from '#domain/uploads/upload.ts'
import type { Checksum } from '#domain/uploads/tus-headers.ts'
import type { ReceiveResult } from '#server/platform/storage/staging/receive-body.ts'
import { getOwnUpload, noSuchUpload, type OwnUpload, uploadExpired } from './find-upload.ts'
import { finishUpload, rejectUpload } from './finish-upload.ts'
import { createFirstBytesCheck } from './detect-file-type.ts'
import { commitOffset, findUpload, renameUpload } from './store.ts'
import { rethrowFullDisk } from './assert-capacity.ts'
import type { LockHandle } from '#server/platform/concurrency/locks.ts'
import type { UploadDeps } from './upload-deps.ts'

export type IncomingChunk = Chunk & {
  readonly body: Readable
  /** Whether bytes received before an interruption are kept (tus), or the chunk is stored atomically (FilePond). */
  readonly keepsPart: boolean
  /** A chunk with a checksum is stored completely or not at all. */
  readonly checksum?: Checksum | undefined
  /** The file name, which some clients send with the first chunk. */
  readonly name?: string | undefined
  /** The repeated Upload-Length; must match the created upload. */
  readonly fileBytes?: number | undefined
}

/** A client that is idle for longer has usually lost its connection, even on slow networks. */
const IDLE_TIMEOUT_MS = 30_000

/** Used when another request is waiting for this upload, probably from the same client on a new connection. */
const CONTENDED_IDLE_TIMEOUT_MS = 1000

/**
 * The only code path that receives upload contents. Checks authorization again, waits for the upload's lock, checks the
 * offset, stores the bytes and commits the offset; the last byte completes the upload.
 */
export async function receiveChunk(deps: UploadDeps, actor: Actor, id: string, chunk: IncomingChunk): Promise<Upload> {
  const { field } = await getOwnUpload(deps, actor, id)
  return deps.uploadTurns.take(id, async (turn) => {
    const upload = await findUpload(deps.database.read, id)
    if (upload === undefined) throw noSuchUpload()
    requireSameLength(upload, chunk.fileBytes)
    const skip = bytesToSkip(upload, chunk, deps.clock())
    if (skip === 'already-stored') return finishIfComplete(deps, { upload, field })
    const named = await nameUpload(deps, upload, chunk.name)
    const stored = await storeChunk(deps, { upload: named, field }, { ...chunk, skip }, turn)
    return finishIfComplete(deps, { upload: stored, field })
  })
}

/** The number of leading bytes to skip; throws if the offset is invalid. */
function bytesToSkip(upload: Upload, chunk: IncomingChunk, now: Date): number | 'already-stored' {
  const outcome = decideChunk(upload, chunk, now)
  switch (outcome.type) {
    case 'accept':
      return outcome.skip
    case 'already-stored':
      return outcome.type
    case 'wrong-offset':
      throw offsetWrong(outcome.committed, chunk.offset)
    case 'too-large':
      throw tooLong(upload)
    case 'gone':
      throw uploadExpired()
  }
}

const offsetWrong = (committed: number, offset: number): Problem =>
  new Problem(
    'upload-offset-wrong',
    `Offset mismatch: expected ${committed}, got ${offset}. Send HEAD to get the current offset.`,
    { extra: { offset: committed } },
  )

const tooLong = ({ file }: Upload): Problem =>
  new Problem('too-large', `The upload was declared as ${file.bytes} bytes, but more were sent.`)

function requireSameLength({ file }: Upload, fileBytes: number | undefined): void {
  if (fileBytes === undefined || fileBytes === file.bytes) return
  throw new Problem(
    'invalid-upload',
    `Upload-Length changed: the upload was declared as ${file.bytes} bytes, but this chunk declares ${fileBytes}. Send the original value or start a new upload.`,
  )
}

/** FilePond sends the file name only with chunks; the first chunk sets it. */
async function nameUpload(deps: UploadDeps, upload: Upload, said: string | undefined): Promise<Upload> {
  if (said === undefined || upload.file.name !== DEFAULT_FILE_NAME || upload.state !== 'open') return upload
  const name = cleanFileName(said)
  await deps.database.write((transaction) => renameUpload(transaction, upload.id, name))
  return { ...upload, file: { ...upload.file, name } }
}

type PlacedChunk = IncomingChunk & { readonly skip: number }

async function storeChunk(deps: UploadDeps, own: OwnUpload, chunk: PlacedChunk, turn: LockHandle): Promise<Upload> {
  const { upload } = own
  // All bytes are stored: an empty or repeated last chunk.
  if (upload.committed === upload.file.bytes) return upload
  const { id, committed } = upload
  const keepsPart = chunk.keepsPart && chunk.checksum === undefined
  const hash = deps.hashes.at(id, committed)
  const sum = createChecksum(chunk.checksum)
  const beginning = createFirstBytesCheck(deps, own)
  let stored = upload
  const commit = async (offset: number): Promise<void> => {
    stored = await commitUploadOffset(deps, { ...stored, sniffedType: beginning.type() }, offset)
  }

  const taking = deps.staging.append(id, chunk.body, {
    offset: committed,
    skip: chunk.skip,
    size: upload.file.bytes,
    onBytes: (bytes) => {
      hash?.update(bytes)
      sum.update(bytes)
    },
    idleTimeoutMs: () => (turn.isWanted() ? CONTENDED_IDLE_TIMEOUT_MS : IDLE_TIMEOUT_MS),
    beginning,
    ...(keepsPart && { onSafe: commit }),
  })
  const taken = await taking.then(undefined, rethrowFullDisk)
  if (taken.ended === 'unwanted') throw await rejectUpload(deps, upload, beginning.fault())
  const offset = offsetOrThrow(upload, taken)
  const isWhole = taken.ended === 'complete'
  if (isWhole && !sum.isRight()) throw damaged(upload)
  if (isWhole || keepsPart) await commit(offset)
  if (hash !== undefined && stored.committed > committed) deps.hashes.keep(id, stored.committed, hash)
  return requireWholeChunk(stored, isWhole)
}

function offsetOrThrow(upload: Upload, taken: ReceiveResult | { readonly ended: 'lost' }): number {
  if (taken.ended === 'lost') throw uploadExpired()
  if (taken.ended === 'too-long') throw tooLong(upload)
  return taken.offset
}

function createChecksum(checksum: Checksum | undefined) {
  const hash = checksum && createHash(checksum.algorithm)
  return {
    update: (bytes: Buffer) => void hash?.update(bytes),
    isRight: () => hash?.digest('base64') === checksum?.digest,
  }
}

/** Commits the offset unless another request has already committed a later one. */
async function commitUploadOffset(deps: UploadDeps, upload: Upload, offset: number): Promise<Upload> {
  const further = { ...upload, committed: offset, expiresAt: renewedExpiry(upload, deps.clock()) }
  const isMine = await deps.database.write((transaction) => commitOffset(transaction, further, upload.committed))
  if (isMine) return further
  deps.hashes.drop(upload.id)
  const now = await findUpload(deps.database.read, upload.id)
  throw now === undefined ? noSuchUpload() : offsetWrong(now.committed, upload.committed)
}

const damaged = ({ committed }: Upload): Problem =>
  new Problem('checksum-mismatch', 'Checksum mismatch: the chunk was discarded. Send it again.', {
    extra: { offset: committed },
  })

/** Rejects an interrupted chunk to end the request, although the client has disconnected. */
function requireWholeChunk(upload: Upload, isWhole: boolean): Upload {
  if (isWhole || upload.committed === upload.file.bytes) return upload
  throw new Problem(
    'invalid-upload',
    'The connection closed before the chunk was complete. Send HEAD to get the current offset.',
  )
}

const finishIfComplete = (deps: UploadDeps, { upload, field }: OwnUpload): Promise<Upload> | Upload =>
  upload.state === 'open' && upload.committed === upload.file.bytes ? finishUpload(deps, upload, field) : upload
