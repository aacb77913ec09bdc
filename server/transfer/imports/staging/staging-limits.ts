import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { cancelWaiting } from '#server/transfer/imports/cancel-import.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { csvPathOf, isThere } from './staged-files.ts'
import { listUserImports } from '#server/transfer/imports/store.ts'

type Deps = Pick<ImportDeps, 'database' | 'clock' | 'dataFolder' | 'receiving'>

/** Per user. */
const MAX_RECEIVING = 2

/** Per user; the oldest waiting files make room for new ones. */
const MAX_STAGED = 10
const MAX_STAGED_BYTES = 2 * 1024 ** 3

/** Limits a user's concurrent CSV transfers; the system has no limit. */
export async function withUploadSlot<Staged>(
  deps: Deps,
  actor: Actor,
  receive: () => Promise<Staged>,
): Promise<Staged> {
  const userId = userIdOf(actor)
  if (userId === null) return receive()
  const others = deps.receiving.get(userId) ?? 0
  if (others >= MAX_RECEIVING) {
    throw new Problem(
      'too-many-requests',
      `You are already uploading ${MAX_RECEIVING} CSV files. Wait until one has finished.`,
      {
        retryAfterSeconds: 10,
      },
    )
  }
  deps.receiving.set(userId, others + 1)
  try {
    const staged = await receive()
    await discardOldest(deps, userId)
    return staged
  } finally {
    const left = (deps.receiving.get(userId) ?? 1) - 1
    if (left === 0) deps.receiving.delete(userId)
    else deps.receiving.set(userId, left)
  }
}

/** Cancels a user's oldest waiting imports until the rest fits; keeps the newest. */
async function discardOldest(deps: Deps, userId: string): Promise<void> {
  const [newest, ...older] = (await listUserImports(deps.database.read, userId)).toReversed()
  let count = 1
  let bytes = newest?.bytes ?? 0
  for (const item of older) {
    if (!(await isThere(csvPathOf(deps, item.id)))) continue
    count += 1
    bytes += item.bytes
    if (count > MAX_STAGED || bytes > MAX_STAGED_BYTES) await cancelWaiting(deps, item.id, ['ready', 'failed'])
  }
}
