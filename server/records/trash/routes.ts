import type { Logger } from 'pino'
import type { z } from 'zod'
import * as api from '#api/trash.ts'
import { isOwner, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { can, canByHand } from '#server/platform/http/access.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import {
  historyCutoff,
  readHistoryDays,
  readTrashDays,
  storeHistoryDays,
  storeTrashDays,
  trashCutoff,
} from '#server/records/changes/retention.ts'
import { removeOldEntries } from '#server/records/changes/store.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { listTrash } from './list-trash.ts'
import { deletePermanently, restoreFromTrash } from './restore-from-trash.ts'
import { expiredRecords, purgeFromTrash } from './trash-store.ts'

export const trashRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listTrash, can('records:read'), async ({ actor, query }) => listTrash(deps, actor, query)),
  route(api.restoreFromTrash, can('records:read'), async ({ actor, body }) => restoreFromTrash(deps, actor, body)),
  route(api.deletePermanently, can('records:delete'), async ({ actor, body, request }) =>
    deletePermanently(deps, { actor, address: request.ip }, body),
  ),
  route(api.readTrashSettings, can('records:read'), async () => readSettings(deps.database.read)),
  route(api.changeTrashSettings, canByHand('workspace:manage'), async ({ actor, body, request }) =>
    changeSettings(deps, { actor, address: request.ip }, body),
  ),
]

type Settings = z.output<(typeof api.readTrashSettings)['response']>

const readSettings = async (db: Reader): Promise<Settings> => ({
  days: await readTrashDays(db),
  historyDays: await readHistoryDays(db),
})

function changeSettings(
  deps: RecordDeps,
  { actor, address }: AuditActor,
  wanted: z.output<(typeof api.changeTrashSettings)['body']>,
): Promise<Settings> {
  // A shorter time deletes records and changes permanently.
  if (!isOwner(actor)) throw new Problem('forbidden', 'Only owners can change how long deleted records are kept.')
  return deps.database.write(async (transaction) => {
    const before = await readSettings(transaction.db)
    const { days = before.days, historyDays = before.historyDays } = wanted
    // Records are restored from the history.
    if (historyDays !== null && historyDays < days) throw historyTooShort(days)
    const audit = { userId: userIdOf(actor), address }
    if (days !== before.days) {
      await storeTrashDays(transaction, days)
      const details = { before: String(before.days), after: String(days) }
      await writeAudit(transaction.db, deps, { ...audit, kind: 'trash-days-changed', details })
    }
    if (historyDays !== before.historyDays) {
      await storeHistoryDays(transaction, historyDays)
      const details = { before: String(before.historyDays ?? ''), after: String(historyDays ?? '') }
      await writeAudit(transaction.db, deps, { ...audit, kind: 'history-days-changed', details })
    }
    return { days, historyDays }
  })
}

function historyTooShort(days: number): Problem {
  const message = `The history must be kept at least as long as deleted records: ${days} days.`
  return new Problem('values-invalid', message, { errors: [{ path: 'historyDays', code: 'too-small', message }] })
}

const HOUR_MS = 60 * 60 * 1000

export type TrashCleanup = { readonly start: () => void; readonly stop: () => Promise<void> }

type CleanupDeps = RecordDeps & {
  readonly log: Logger
  /** Deletes fields and collections that can no longer be restored. */
  readonly purgeDefinitions: () => Promise<void>
}

/** Removes what has expired from the trash and from the history, at startup and every hour. */
export function createTrashCleanup(deps: CleanupDeps): TrashCleanup {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  /** Returns whether there may be more. The time is read in each write, because an owner may have just changed it. */
  const removeSome = async (transaction: Transaction): Promise<boolean> => {
    const now = deps.clock()
    const expired = await expiredRecords(transaction, await trashCutoff(transaction.db, now))
    await purgeFromTrash(transaction, expired, now.toISOString())
    return expired.length > 0
  }
  const forgetSome = async (transaction: Transaction): Promise<boolean> => {
    const until = await historyCutoff(transaction.db, deps.clock())
    return until !== undefined && (await removeOldEntries(transaction, until))
  }
  const clean = async (): Promise<void> => {
    for (const step of [removeSome, forgetSome]) while (!isStopped && (await deps.database.write(step)));
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
