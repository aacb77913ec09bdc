import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Upload } from '#domain/uploads/upload.ts'
import { isExpired } from '#domain/uploads/upload-expiry.ts'
import type { FileField } from '#domain/uploads/file-fields.ts'
import { authorizeTarget } from './authorize-target.ts'
import { finishUpload } from './finish-upload.ts'
import { findUpload } from './store.ts'
import type { UploadDeps } from './upload-deps.ts'

export type OwnUpload = { readonly upload: Upload; readonly field: FileField }

/** Another user's upload is answered exactly like a missing one. */
export const noSuchUpload = (): Problem => new Problem('not-found', 'Upload not found.')

export const uploadExpired = (): Problem =>
  new Problem('gone', 'This upload was rejected or has expired. Choose the file again.')

async function findOwnUpload(needs: UploadDeps, actor: Actor, id: string): Promise<Upload | undefined> {
  const upload = ID_PATTERN.test(id) ? await findUpload(needs.database.read, id) : undefined
  return upload !== undefined && upload.userId === userIdOf(actor) ? upload : undefined
}

/** Requires that the actor can still write to the target. */
export async function getOwnUpload(needs: UploadDeps, actor: Actor, id: string): Promise<OwnUpload> {
  const upload = await findOwnUpload(needs, actor, id)
  if (upload === undefined) throw noSuchUpload()
  const { field } = await authorizeTarget(needs, actor, upload.target)
  return { upload, field }
}

/** How long a status request waits for a running transfer. */
const STATUS_TIMEOUT_MS = 3000

/**
 * The status of an upload. Waits for a running transfer, so that the offset stays true; finishes a complete upload
 * that the server didn't.
 */
export async function inspectUpload(needs: UploadDeps, actor: Actor, id: string): Promise<Upload> {
  const own = await getOwnUpload(needs, actor, id)
  const settled = needs.uploadTurns.take(id, () => finishIfComplete(needs, own))
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), STATUS_TIMEOUT_MS)
  const upload = await Promise.race([settled, late])
  clearTimeout(timer)
  const told = upload ?? (await findUpload(needs.database.read, id))
  if (told === undefined) throw noSuchUpload()
  if (told.state === 'failed' || (told.state === 'open' && isExpired(told, needs.clock()))) throw uploadExpired()
  return told
}

async function finishIfComplete(needs: UploadDeps, { upload, field }: OwnUpload): Promise<Upload | undefined> {
  const now = await findUpload(needs.database.read, upload.id)
  const isComplete = now?.state === 'open' && now.committed === now.file.bytes
  return isComplete ? finishUpload(needs, now, field) : now
}
