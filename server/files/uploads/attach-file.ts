import type { Actor } from '#domain/access/actor.ts'
import type { Asset } from '#domain/assets/asset.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { NamedValues } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fileIdsOf } from '#domain/fields/files.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { updateRecord } from '#server/records/crud/write-record.ts'
import { unreadableFieldsIn } from '#server/records/show/unreadable-fields.ts'
import { cancelUpload } from './find-upload.ts'
import type { UploadDeps } from './upload-deps.ts'

export type AttachTarget = { readonly record: string; readonly version: number | undefined }

/** Appends a new file to its field's list as an ordinary record update. If the update fails, the file is deleted. */
export async function attachFile(
  deps: UploadDeps & RecordDeps,
  actor: Actor,
  asset: Asset,
  { record, version }: AttachTarget,
): Promise<void> {
  const place = { collection: asset.collection, record }
  const updated = updateRecord(deps, actor, place, { version, values: (...where) => valuesWith(asset, ...where) })
  await updated.then(undefined, async (error: unknown) => {
    // Failure is harmless, because unattached files expire anyway.
    await cancelUpload(deps, actor, asset.id).then(undefined, () => undefined)
    throw error
  })
}

/** Requires read access to the list; otherwise, the error would reveal that it is full. */
async function valuesWith(
  { id, field }: Asset,
  writing: Writing,
  before: CollectionRecord,
  collection: Collection,
): Promise<NamedValues> {
  const target = collection.fields.find((one) => one.id === field)
  if (target?.kind !== 'files') throw new Problem('invalid-upload', '“attach” is only supported for file fields.')
  const hiddenFieldsOf = await unreadableFieldsIn(writing, collection, [before])
  if (hiddenFieldsOf(before).has(field))
    throw new Problem(
      'forbidden',
      'You can’t view this field’s files. Upload without “attach”, then update the record.',
    )
  return { [target.name]: [...fileIdsOf(before.values[field]), id] }
}
