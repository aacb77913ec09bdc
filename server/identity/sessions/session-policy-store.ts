import { z } from 'zod'
import {
  expiryCutoffs,
  type SessionPolicy,
  DEFAULT_SESSION_POLICY,
  shorterLifetimes,
} from '#domain/sessions/session-policy.ts'
import type { EndReason } from '#domain/sessions/session.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'

export const SESSION_POLICY = 'session-policy'

const lifetime = z.object({ idleMinutes: z.int(), longestMinutes: z.int() })
const stored = z.object({ remembered: lifetime, notRemembered: lifetime, mostSessions: z.int().nullable() })

/** The stored policy, or the default if none is stored. */
export const policyOf = (value: string | null | undefined): SessionPolicy =>
  typeof value === 'string' ? stored.parse(JSON.parse(value)) : DEFAULT_SESSION_POLICY

export async function findSessionPolicy(db: Reader): Promise<SessionPolicy> {
  return policyOf(await readWorkspaceValue(db, SESSION_POLICY))
}

export const storeSessionPolicy = (db: Reader, policy: SessionPolicy): Promise<void> =>
  storeWorkspaceValue(db, SESSION_POLICY, JSON.stringify(policy))

const REASON: EndReason = 'timed-out'

/**
 * Ends sessions that have expired under the old or the new policy and returns their number. Otherwise, longer lifetimes
 * would revive expired sessions.
 */
export async function endOverdueSessions(
  db: Reader,
  { before, after, now }: { readonly before: SessionPolicy; readonly after: SessionPolicy; readonly now: Date },
): Promise<number> {
  let ended = 0
  for (const isRemembered of [true, false]) {
    const over = expiryCutoffs(shorterLifetimes(before, after, isRemembered), now)
    const { numUpdatedRows } = await db
      .updateTable('sessions')
      .set({ ended_at: now.toISOString(), end_reason: REASON })
      .where('ended_at', 'is', null)
      .where('is_remembered', '=', Number(isRemembered))
      .where((is) =>
        is.or([is('used_at', '<=', over.usedAt.toISOString()), is('created_at', '<=', over.createdAt.toISOString())]),
      )
      .executeTakeFirst()
    ended += Number(numUpdatedRows)
  }
  return ended
}
