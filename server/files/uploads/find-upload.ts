import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type Upload, isExpired } from '#domain/uploads/upload.ts'
import type { FileField } from '#domain/fields/files.ts'
import { authorizeTarget } from './authorize-target.ts'
import { finishUpload } from './finish-upload.ts'
import { deleteUnattachedAsset, deleteUpload, findFileOwner, findUpload } from './store.ts'
import type { UploadDeps } from './upload-deps.ts'

export type OwnUpload = { readonly upload: Upload; readonly field: FileField }

/** Another user's upload is reported as missing. */
export const noSuchUpload = (): Problem => new Problem('not-found', 'Upload not found.')

export const uploadExpired = (): Problem =>
  new Problem('gone', 'This upload was rejected or has expired. Choose the file again.')

async function findOwnUpload(deps: UploadDeps, actor: Actor, id: string): Promise<Upload | undefined> {
  const upload = ID_PATTERN.test(id) ? await findUpload(deps.database.read, id) : undefined
  return upload !== undefined && upload.userId === userIdOf(actor) ? upload : undefined
}

/** Requires that the actor still has write access to the target. */
export async function getOwnUpload(deps: UploadDeps, actor: Actor, id: string): Promise<OwnUpload> {
  const upload = await findOwnUpload(deps, actor, id)
  if (upload === undefined) throw noSuchUpload()
  const { field } = await authorizeTarget(deps, actor, upload.target)
  return { upload, field }
}

/** How long a status request waits for a running transfer. */
const STATUS_TIMEOUT_MS = 3000

/**
 * The upload's status, after any running transfer; completes the upload if it has all bytes but was never completed.
 */
export async function inspectUpload(deps: UploadDeps, actor: Actor, id: string): Promise<Upload> {
  const own = await getOwnUpload(deps, actor, id)
  const settled = deps.uploadTurns.take(id, () => finishIfComplete(deps, own))
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), STATUS_TIMEOUT_MS)
  const upload = await Promise.race([settled, late])
  clearTimeout(timer)
  const reported = upload ?? (await findUpload(deps.database.read, id))
  if (reported === undefined) throw noSuchUpload()
  if (reported.state === 'failed' || (reported.state === 'open' && isExpired(reported, deps.clock())))
    throw uploadExpired()
  return reported
}

async function finishIfComplete(deps: UploadDeps, { upload, field }: OwnUpload): Promise<Upload | undefined> {
  const now = await findUpload(deps.database.read, upload.id)
  const isComplete = now?.state === 'open' && now.committed === now.file.bytes
  return isComplete ? finishUpload(deps, now, field) : now
}

/**
 * Cancels an upload, finished or not, unless a record uses the file. Waits for the upload's lock, so that a chunk in
 * progress leaves no data behind. Only requires that the upload belongs to the actor.
 */
export async function cancelUpload(deps: UploadDeps, actor: Actor, id: string): Promise<void> {
  const userId = userIdOf(actor)
  if (userId === null || !ID_PATTERN.test(id)) throw noSuchUpload()
  await deps.uploadTurns.take(id, async () => {
    const { read } = deps.database
    const [upload, file] = await Promise.all([findUpload(read, id), findFileOwner(read, id)])
    if (upload?.userId !== userId && file?.user_id !== userId) throw noSuchUpload()
    if (file !== undefined && file.record_id !== null) throw fileIsAttached()

    const isGone = await deps.database.write(async (transaction) => {
      const isDeleted = file === undefined || (await deleteUnattachedAsset(transaction, id, userId))
      if (isDeleted) await deleteUpload(transaction, id)
      return isDeleted
    })
    // Another request attached the file to a record in the meantime.
    if (!isGone) throw fileIsAttached()
    deps.hashes.drop(id)
    await deps.staging.remove(id)
  })
}

const fileIsAttached = (): Problem =>
  new Problem('forbidden', 'This file belongs to a record. Remove it from the record instead.')
