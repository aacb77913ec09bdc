import type { Readable } from 'node:stream'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Asset } from '#domain/assets/asset.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fileOptionsOf } from '#domain/fields/files.ts'
import { type FileFault, checkDeclaredFile, maxBytesOf } from '#domain/uploads/file-rules.ts'
import { cleanFileName, cleanType } from '#domain/uploads/upload.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { authorizeTarget, type UploadTargetInput } from './authorize-target.ts'
import { storeArrivedFile } from './finish-upload.ts'
import { createFirstBytesCheck } from './detect-file-type.ts'
import { rethrowFullDisk, assertDiskSpace, assertRoom } from './assert-capacity.ts'
import type { UploadDeps } from './upload-deps.ts'

/** A file of unknown size, sent in a single request. */
export type CompleteFile = {
  readonly name: string
  readonly type: string
  readonly body: Readable
  readonly declaredBytes: number
}

const IDLE_TIMEOUT_MS = 30_000

/** Stores a file sent in a single request, under the same rules as chunked uploads. An incomplete file is discarded. */
export async function storeFile(
  deps: UploadDeps,
  actor: Actor,
  named: UploadTargetInput,
  { name, type, body, declaredBytes }: CompleteFile,
): Promise<Asset> {
  const { target, field } = await authorizeTarget(deps, actor, named)
  const declared = { name: cleanFileName(name), type: cleanType(type), bytes: 0 }
  const checked = checkDeclaredFile(fileOptionsOf(field), declared)
  if (!checked.ok) throw toProblem(checked.fault)

  await assertRoom(deps.database.read, { actor, file: { name: declared.name, bytes: declaredBytes } }, 'nothing')
  await assertDiskSpace(deps, declaredBytes)
  const id = deps.newId()
  const hash = deps.hashes.at(id, 0)
  const maxBytes = maxBytesOf(fileOptionsOf(field))
  const beginning = createFirstBytesCheck(deps, { upload: { id, file: declared, sniffedType: null }, field })
  const taking = deps.staging.append(id, body, {
    offset: 0,
    skip: 0,
    size: maxBytes,
    onBytes: (bytes) => void hash?.update(bytes),
    idleTimeoutMs: () => IDLE_TIMEOUT_MS,
    beginning,
  })
  const taken = await taking.then(undefined, rethrowFullDisk)
  if (taken.ended !== 'complete') {
    await deps.staging.remove(id)
    if (taken.ended === 'unwanted') throw toProblem(beginning.fault())
    throw taken.ended === 'too-long' ? tooLarge(declared.name, maxBytes) : uploadInterrupted()
  }
  const file = { ...declared, bytes: taken.offset }
  if (hash !== undefined) deps.hashes.keep(id, file.bytes, hash)
  const arrived = { id, userId: userIdOf(actor), target, file }
  const refuse = ({ db }: Transaction) => assertRoom(db, { actor, file }, 'file')
  // A file that was stored is no longer in the staging folder.
  try {
    const kept = await storeArrivedFile(deps, arrived, field, refuse)
    if (kept.ok) return kept.value
    throw toProblem(kept.fault)
  } finally {
    deps.hashes.drop(id)
    await deps.staging.remove(id)
  }
}

const toProblem = ({ code, message }: FileFault): Problem => new Problem(code, message)

const uploadInterrupted = (): Problem =>
  new Problem('invalid-upload', 'The connection closed before the file was complete. Nothing was saved.')

const tooLarge = (name: string, maxBytes: number): Problem =>
  new Problem(
    'too-large',
    `“${name}” is larger than the ${maxBytes / 1_000_000} MB this field allows. Choose a smaller file.`,
  )
