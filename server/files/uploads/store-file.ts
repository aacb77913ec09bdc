import type { Readable } from 'node:stream'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Asset } from '#domain/assets/asset.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type FileField, fileOptionsOf } from '#domain/uploads/file-fields.ts'
import { checkDeclaredFile, checkFirstBytes, type FileFault, maxBytesOf } from '#domain/uploads/file-rules.ts'
import { cleanFileName, cleanType, type Upload } from '#domain/uploads/upload.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { authorizeTarget, type UploadTargetInput } from './authorize-target.ts'
import { storeArrivedFile } from './finish-upload.ts'
import { assertDiskSpace, assertRoom, rethrowFullDisk } from './assert-capacity.ts'
import type { UploadDeps } from './upload-deps.ts'
import { SNIFF_BYTES } from '#domain/uploads/file-types.ts'
import { detectFileType } from './detect-file-type.ts'

/** The beginning of a file on its way: looked at once, as soon as it is there. */
type FirstBytesCheck = {
  readonly bytes: number
  readonly isWanted: () => Promise<boolean>
  /** What the file looks like; null before its beginning is there. */
  readonly type: () => string | null
  /** Why it is not wanted. */
  readonly fault: () => FileFault
}

/** Judges a file by its first bytes, so that one of a wrong type is refused with its first chunk, not with its last. */
export function createFirstBytesCheck(
  { staging }: Pick<UploadDeps, 'staging'>,
  { upload, field }: { readonly upload: Pick<Upload, 'id' | 'file' | 'sniffedType'>; readonly field: FileField },
): FirstBytesCheck {
  let type = upload.sniffedType
  let fault: FileFault = { code: 'file-type-refused', message: '' }
  return {
    bytes: SNIFF_BYTES,
    isWanted: async () => {
      const judged = checkFirstBytes(fileOptionsOf(field), upload.file, await detectFileType(staging.pathOf(upload.id)))
      if (judged.ok) type = judged.value
      else fault = judged.fault
      return judged.ok
    },
    type: () => type,
    fault: () => fault,
  }
}

/** A file that comes as a whole, its size unknown until its end. */
export type CompleteFile = {
  readonly name: string
  readonly type: string
  readonly body: Readable
  /** It has no more bytes than that. */
  readonly mostBytes: number
}

/** How long a sender may be silent, in ms. */
const IDLE_TIMEOUT_MS = 30_000

/**
 * Story: take in a file that comes in one piece, under the same rules as one in chunks: a plain form, or a file of the
 * program's own. What breaks off is dropped.
 */
export async function storeFile(
  needs: UploadDeps,
  actor: Actor,
  named: UploadTargetInput,
  { name, type, body, mostBytes }: CompleteFile,
): Promise<Asset> {
  const { target, field } = await authorizeTarget(needs, actor, named)
  const declared = { name: cleanFileName(name), type: cleanType(type), bytes: 0 }
  const judged = checkDeclaredFile(fileOptionsOf(field), declared)
  if (!judged.ok) throw toProblem(judged.fault)

  await assertRoom(needs.database.read, { actor, file: { name: declared.name, bytes: mostBytes } }, 'nothing')
  await assertDiskSpace(needs, mostBytes)
  const id = needs.newId()
  const hash = needs.hashes.at(id, 0)
  const maxBytes = maxBytesOf(fileOptionsOf(field))
  const beginning = createFirstBytesCheck(needs, { upload: { id, file: declared, sniffedType: null }, field })
  const taking = needs.staging.append(id, body, {
    offset: 0,
    skip: 0,
    size: maxBytes,
    onBytes: (bytes) => void hash?.update(bytes),
    patienceMs: () => IDLE_TIMEOUT_MS,
    beginning,
  })
  const taken = await taking.then(undefined, rethrowFullDisk)
  if (taken.ended !== 'complete') {
    await needs.staging.remove(id)
    if (taken.ended === 'unwanted') throw toProblem(beginning.fault())
    throw taken.ended === 'too-long' ? tooLarge(declared.name, maxBytes) : uploadInterrupted()
  }
  const file = { ...declared, bytes: taken.offset }
  if (hash !== undefined) needs.hashes.keep(id, file.bytes, hash)
  const arrived = { id, userId: userIdOf(actor), target, file }
  const refuse = ({ db }: Transaction) => assertRoom(db, { actor, file }, 'file')
  // What became a file has left the staging by now.
  try {
    const kept = await storeArrivedFile(needs, arrived, field, refuse)
    if (kept.ok) return kept.value
    throw toProblem(kept.fault)
  } finally {
    needs.hashes.drop(id)
    await needs.staging.remove(id)
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
