import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { noSuchUpload } from './find-upload.ts'
import { deleteUnattachedAsset, deleteUpload, findFileOwner, findUpload } from './store.ts'
import type { UploadDeps } from './upload-deps.ts'

/**
 * Cancels an upload, finished or not, while no record uses the file. Waits for the upload's lock, so that a chunk in
 * progress leaves nothing behind. Requires only that the upload is the actor's own.
 */
export async function cancelUpload(needs: UploadDeps, actor: Actor, id: string): Promise<void> {
  const userId = userIdOf(actor)
  if (userId === null || !ID_PATTERN.test(id)) throw noSuchUpload()
  await needs.uploadTurns.take(id, async () => {
    const { read } = needs.database
    const [upload, file] = await Promise.all([findUpload(read, id), findFileOwner(read, id)])
    if (upload?.userId !== userId && file?.user_id !== userId) throw noSuchUpload()
    if (file !== undefined && file.record_id !== null) throw fileIsAttached()

    const isGone = await needs.database.write(async (transaction) => {
      const isDeleted = file === undefined || (await deleteUnattachedAsset(transaction, id, userId))
      if (isDeleted) await deleteUpload(transaction, id)
      return isDeleted
    })
    // A record attached it at the same moment.
    if (!isGone) throw fileIsAttached()
    needs.hashes.drop(id)
    await needs.staging.remove(id)
  })
}

const fileIsAttached = (): Problem =>
  new Problem('forbidden', 'This file belongs to a record. Remove it from the record instead.')
