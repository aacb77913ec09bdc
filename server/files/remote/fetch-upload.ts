import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Asset } from '#domain/assets/asset.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { authorizeTarget, type UploadTargetInput } from '#server/files/uploads/authorize-target.ts'
import { openRemote } from './fetch-remote.ts'
import { storeFile } from '#server/files/uploads/store-file.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

/** Files one person may have fetched at a time; each holds a connection and a place on the disk. */
const MAX_CONCURRENT = 2

/**
 * Story: have the server fetch a file from another address, for whoever asks, under the same rules as one that is sent.
 * Who may not send there has nothing fetched.
 */
export async function fetchUpload(
  needs: UploadDeps,
  actor: Actor,
  named: UploadTargetInput,
  address: string,
): Promise<Asset> {
  if (!needs.config.fetchesUploads) {
    throw new Problem('forbidden', 'Fetching files from URLs is turned off. Download the file and upload it.')
  }
  await authorizeTarget(needs, actor, named)
  return withFetchSlot(userIdOf(actor), async () => {
    const file = await openRemote(needs.remote, address)
    return storeFile(needs, actor, named, file).finally(() => void file.body.destroy())
  })
}

const activeFetches = new Map<UserId | null, number>()

async function withFetchSlot<Answer>(who: UserId | null, work: () => Promise<Answer>): Promise<Answer> {
  const count = activeFetches.get(who) ?? 0
  if (count >= MAX_CONCURRENT) {
    throw new Problem(
      'too-many-requests',
      `Only ${MAX_CONCURRENT} files can be fetched at a time. Wait for them to finish.`,
      {
        retryAfterSeconds: 10,
      },
    )
  }
  activeFetches.set(who, count + 1)
  try {
    return await work()
  } finally {
    const left = (activeFetches.get(who) ?? 1) - 1
    if (left > 0) activeFetches.set(who, left)
    else activeFetches.delete(who)
  }
}
