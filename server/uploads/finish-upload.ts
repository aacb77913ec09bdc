import type { Asset } from '#domain/assets/asset.ts'
import { isPictureType, judgePicture } from '#domain/assets/picture-limits.ts'
import type { Field } from '#domain/fields/field.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { no, ok, type Result } from '#domain/shared/result.ts'
import { type FileFault, judgeArrivedFile } from '#domain/uploads/file-rules.ts'
import type { DeclaredFile, Upload, UploadTarget } from '#domain/uploads/upload.ts'
import { expiryFrom } from '#domain/uploads/upload-expiry.ts'
import { gatherEvidence } from '#server/assets/gather-evidence.ts'
import { insertAsset, setUploadState } from './store.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** A file whose bytes are all here. */
export type ArrivedFile = {
  readonly id: string
  readonly userId: UserId | null
  readonly target: UploadTarget
  readonly file: DeclaredFile
}

/**
 * Story: turn an upload whose bytes are all there into a file. It may be told again from the start at any point, because
 * the staged bytes go last: a server that is stopped in between loses nothing. Whoever tells it has the upload's turn.
 */
export async function finishUpload(needs: UploadNeeds, upload: Upload, field: Field<'files'>): Promise<Upload> {
  const finished = await keepArrivedFile(needs, upload, field)
  needs.hashes.drop(upload.id)
  if (finished.ok) return { ...upload, state: 'ready' }

  await needs.database.write((transaction) => setUploadState(transaction, upload.id, 'failed'))
  await needs.staging.remove(upload.id)
  throw new Problem(finished.fault.code, finished.fault.message)
}

/** Proves a file by its bytes, publishes them and makes the file; the staged bytes go last. */
export async function keepArrivedFile(
  needs: UploadNeeds,
  arrived: ArrivedFile,
  field: Field<'files'>,
): Promise<Result<Asset, FileFault>> {
  const { id, file } = arrived
  const path = needs.staging.pathOf(id)
  const type = judgeArrivedFile(field.options, file, await gatherEvidence(path))
  if (!type.ok) return type
  const measured = await measurePicture(needs, arrived, type.value)
  if (!measured.ok) return measured

  const hash = needs.hashes.at(id, file.bytes)?.digest('hex') ?? (await needs.staging.hashOf(id))
  const asset: Asset = {
    id,
    userId: arrived.userId,
    hash,
    name: file.name,
    type: type.value,
    bytes: file.bytes,
    ...measured.value,
    collection: arrived.target.collection,
    field: arrived.target.field,
    record: null,
  }
  await publish(needs, asset, path)
  await needs.staging.remove(id)
  return ok(asset)
}

/** The blob is there before the file is, and the sweep never comes between the two. */
async function publish(needs: UploadNeeds, asset: Asset, path: string): Promise<void> {
  await needs.blobTurns.take(asset.hash, async () => {
    const now = needs.clock()
    await needs.blobs.publish(path, asset.hash, now)
    await needs.database.write(async (transaction) => {
      await insertAsset(transaction, asset, now.toISOString(), expiryFrom(now))
      await setUploadState(transaction, asset.id, 'ready')
    })
  })
}

type Size = Pick<Asset, 'width' | 'height'>

const NO_PICTURE: Size = { width: null, height: null }

/** What kind of picture the bytes hold, if any: one that is a trap is refused, one too large to open stays a plain file. */
async function measurePicture(
  { pictures, staging }: UploadNeeds,
  { id, file }: ArrivedFile,
  type: string,
): Promise<Result<Size, FileFault>> {
  const measures = isPictureType(type) ? await pictures.measure(staging.pathOf(id)) : undefined
  if (measures === undefined) return ok(NO_PICTURE)
  const verdict = judgePicture({ ...measures, bytes: file.bytes })
  if (verdict === 'trap') return no(trap(file, measures))
  return ok(verdict === 'picture' ? measures : NO_PICTURE)
}

const trap = ({ name }: DeclaredFile, { width, height }: { width: number; height: number }): FileFault => ({
  code: 'file-type-refused',
  message: `“${name}” says it is a picture of ${width} × ${height} pixels, which does not fit its size. Such files are made to harm whoever opens them, so it was not kept.`,
})
