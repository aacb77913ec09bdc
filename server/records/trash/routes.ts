import type { Logger } from 'pino'
import * as api from '#api/trash.ts'
import { isOwner, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { can, canByHand } from '#server/platform/http/access.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { readTrashDays, storeTrashDays, trashCutoff } from '#server/records/changes/retention.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { listTrash } from './list-trash.ts'
import { deletePermanently, restoreFromTrash } from './restore-from-trash.ts'
import { expiredRecords, removeFromTrash } from './trash-store.ts'

export const trashRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listTrash, can('records:read'), async ({ actor, query }) => listTrash(deps, actor, query)),
  route(api.restoreFromTrash, can('records:read'), async ({ actor, body }) => restoreFromTrash(deps, actor, body)),
  route(api.deletePermanently, can('records:delete'), async ({ actor, body, request }) =>
    deletePermanently(deps, { actor, address: request.ip }, body),
  ),
  route(api.readTrashSettings, can('records:read'), async () => ({ days: await readTrashDays(deps.database.read) })),
  route(api.changeTrashSettings, canByHand('workspace:manage'), async ({ actor, body, request }) =>
    changeTrashDays(deps, { actor, address: request.ip }, body.days),
  ),
]

async function changeTrashDays(
  deps: RecordDeps,
  { actor, address }: AuditActor,
  days: number,
): Promise<{ days: number }> {
  // A shorter time deletes records permanently.
  if (!isOwner(actor)) throw new Problem('forbidden', 'Only owners can change how long deleted records are kept.')
  await deps.database.write(async (transaction) => {
    const before = await readTrashDays(transaction.db)
    if (before === days) return
    await storeTrashDays(transaction, days)
    const details = { before: String(before), after: String(days) }
    await writeAudit(transaction.db, deps, { kind: 'trash-days-changed', userId: userIdOf(actor), address, details })
  })
  return { days }
}

const HOUR_MS = 60 * 60 * 1000

export type TrashCleanup = { readonly start: () => void; readonly stop: () => Promise<void> }

type CleanupDeps = RecordDeps & {
  readonly log: Logger
  /** Deletes fields and collections that can no longer be restored. */
  readonly purgeDefinitions: () => Promise<void>
}

/** Removes expired records, fields and collections from the trash, at startup and every hour. */
export function createTrashCleanup(deps: CleanupDeps): TrashCleanup {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  /** Returns whether there may be more. The time is read in each write, because an owner may have just changed it. */
  const removeSome = async (transaction: Transaction): Promise<boolean> => {
    const now = deps.clock()
    const expired = await expiredRecords(transaction, await trashCutoff(transaction.db, now))
    await removeFromTrash(transaction, expired, now.toISOString())
    return expired.length > 0
  }
  const clean = async (): Promise<void> => {
    while (!isStopped && (await deps.database.write(removeSome)));
  }
  const cleanNext = (): void => {
    running = running
      .then(clean)
      .then(deps.purgeDefinitions)
      .then(undefined, (error: unknown) => {
        deps.log.error({ err: error }, 'emptying the trash failed')
      })
  }
  return {
    start: () => {
      cleanNext()
      timer = setInterval(cleanNext, HOUR_MS).unref()
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
