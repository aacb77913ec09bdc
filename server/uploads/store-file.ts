import type { Readable } from 'node:stream'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Asset } from '#domain/assets/asset.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fileOptionsOf } from '#domain/uploads/file-fields.ts'
import { type FileFault, judgeDeclaredFile, maxBytesOf } from '#domain/uploads/file-rules.ts'
import { cleanFileName, cleanType } from '#domain/uploads/upload.ts'
import type { Transaction } from '#server/database/database.ts'
import { authorizeTarget, type NamedTarget } from './authorize-target.ts'
import { keepArrivedFile } from './finish-upload.ts'
import { openBeginning } from './open-beginning.ts'
import { asFullDisk, refuseFullDisk, requireRoom } from './refuse-full.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** A file that comes as a whole, its size unknown until its end. */
export type WholeFile = {
  readonly name: string
  readonly type: string
  readonly body: Readable
  /** It has no more bytes than that. */
  readonly mostBytes: number
}

/** How long a sender may be silent, in ms. */
const SILENCE_MS = 30_000

/**
 * Story: take in a file that comes in one piece, under the same rules as one in chunks: a plain form, or a file of the
 * program's own. What breaks off is dropped.
 */
export async function storeFile(
  needs: UploadNeeds,
  actor: Actor,
  named: NamedTarget,
  { name, type, body, mostBytes }: WholeFile,
): Promise<Asset> {
  const { target, field } = await authorizeTarget(needs, actor, named)
  const declared = { name: cleanFileName(name), type: cleanType(type), bytes: 0 }
  const judged = judgeDeclaredFile(fileOptionsOf(field), declared)
  if (!judged.ok) throw refusal(judged.fault)

  await requireRoom(needs.database.read, { actor, file: { name: declared.name, bytes: mostBytes } }, 'nothing')
  await refuseFullDisk(needs, mostBytes)
  const id = needs.newId()
  const hash = needs.hashes.at(id, 0)
  const maxBytes = maxBytesOf(fileOptionsOf(field))
  const beginning = openBeginning(needs, { upload: { id, file: declared, sniffedType: null }, field })
  const taking = needs.staging.append(id, body, {
    offset: 0,
    skip: 0,
    size: maxBytes,
    onBytes: (bytes) => void hash?.update(bytes),
    patienceMs: () => SILENCE_MS,
    beginning,
  })
  const taken = await taking.then(undefined, asFullDisk)
  if (taken.ended !== 'complete') {
    await needs.staging.remove(id)
    if (taken.ended === 'unwanted') throw refusal(beginning.fault())
    throw taken.ended === 'too-long' ? tooLarge(declared.name, maxBytes) : brokenOff()
  }
  const file = { ...declared, bytes: taken.offset }
  if (hash !== undefined) needs.hashes.keep(id, file.bytes, hash)
  const arrived = { id, userId: userIdOf(actor), target, file }
  const refuse = ({ db }: Transaction) => requireRoom(db, { actor, file }, 'file')
  // What became a file has left the staging by now.
  try {
    const kept = await keepArrivedFile(needs, arrived, field, refuse)
    if (kept.ok) return kept.value
    throw refusal(kept.fault)
  } finally {
    needs.hashes.drop(id)
    await needs.staging.remove(id)
  }
}

const refusal = ({ code, message }: FileFault): Problem => new Problem(code, message)

const brokenOff = (): Problem =>
  new Problem('invalid-upload', 'The connection ended before the file was complete. Nothing of it was kept.')

const tooLarge = (name: string, maxBytes: number): Problem =>
  new Problem(
    'too-large',
    `“${name}” has more than the ${maxBytes / 1_000_000} MB this field takes. Choose a smaller file.`,
  )
