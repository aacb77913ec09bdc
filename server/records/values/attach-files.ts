import { userIdOf } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { AssetId, RecordId } from '#domain/shared/ids.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import { type FileField, fileIdsOf, fileOptionsOf, takesFiles } from '#domain/fields/files.ts'
import { type FileFault, checkStoredFile } from '#domain/uploads/file-rules.ts'
import { expiryOf, readTrashDays } from '#server/records/changes/retention.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { attachAssets, detachAssets, findAssets } from './assets-store.ts'

export type FileChange = {
  readonly record: RecordId
  readonly before: RecordValues
  readonly after: RecordValues
}

/**
 * Attaches the files that a write adds and detaches those it removes. A file can be attached if the user uploaded it
 * for this field, if it is already attached, or if it returns to its former record; any other file is reported as
 * missing.
 */
export async function updateFiles(writing: Writing, collection: Collection, move: FileChange): Promise<PartProblem[]> {
  const problems: PartProblem[] = []
  for (const field of collection.fields) {
    const after = move.after[field.id]
    if (!takesFiles(field) || after === undefined) continue
    const had = fileIdsOf(move.before[field.id])
    const has = fileIdsOf(after)
    const added = has.filter((id) => !had.includes(id))
    const removed = had.filter((id) => !has.includes(id))

    problems.push(...(await attach(writing, collection, { field, record: move.record, ids: added })))
    if (removed.length > 0) {
      // A day longer than the record, so that restoring it never finds its files gone.
      const expiresAt = expiryOf(writing.at, (await readTrashDays(writing.transaction.db)) + 1)
      await detachAssets(writing.transaction, { field: field.id, record: move.record, ids: removed }, expiresAt)
    }
  }
  return problems
}

type AssetRow = Awaited<ReturnType<typeof findAssets>>[number]

type Attaching = { readonly field: FileField; readonly record: RecordId; readonly ids: readonly AssetId[] }

async function attach(
  writing: Writing,
  collection: Collection,
  { field, record, ids }: Attaching,
): Promise<PartProblem[]> {
  if (ids.length === 0) return []
  const userId = userIdOf(writing.actor)
  const assets = await findAssets(writing.transaction.db, ids)
  const isSystem = writing.actor.type === 'system'
  const known = assets.filter(
    (asset) =>
      asset.field_id === field.id &&
      asset.collection_id === collection.id &&
      asset.record_id === null &&
      (asset.user_id === userId || asset.taken_out_of === record || isSystem),
  )
  // A file that was attached here before can be attached again regardless of current rules.
  const isChecked = ({ taken_out_of: from }: AssetRow): boolean => !isSystem && from !== record
  const checked = known.map((asset) => ({ asset, fault: isChecked(asset) ? faultOf(field, asset) : undefined }))
  const fitting = checked.filter(({ fault }) => fault === undefined)
  await attachAssets(
    writing.transaction,
    fitting.map(({ asset }) => asset.id),
    record,
  )
  const knownIds = new Set(known.map((asset) => asset.id))
  const unknown = ids
    .filter((id) => !knownIds.has(id))
    .map((id) => ({
      path: field.name,
      code: 'unknown-file',
      message: `File ${id} can’t be added here. Upload it again.`,
    }))
  const misfits = checked.flatMap(({ fault }) => (fault === undefined ? [] : [{ path: field.name, ...fault }]))
  return [...unknown, ...misfits]
}

/** Why a file doesn't match the field's rules, which may have changed since the upload. */
function faultOf(field: FileField, asset: AssetRow): FileFault | undefined {
  const bytes = Number(asset.bytes)
  const checked = checkStoredFile(fileOptionsOf(field), {
    name: asset.name,
    type: asset.type,
    bytes,
    ending: asset.ending,
  })
  return checked.ok ? undefined : checked.fault
}
