import { type Actor, userIdOf } from '#domain/access/actor.ts'
import {
  validateSessionPolicy,
  printPolicy,
  type SessionLifetime,
  type SessionPolicy,
} from '#domain/sessions/session-policy.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { endOverdueSessions, findSessionPolicy, storeSessionPolicy } from './session-policy-store.ts'
import type { SessionDeps } from './session-deps.ts'

type LifetimeChanges = { readonly [Part in keyof SessionLifetime]?: number | undefined }

/** What may be changed of the policy. */
export type PolicyChanges = {
  readonly remembered?: LifetimeChanges | undefined
  readonly notRemembered?: LifetimeChanges | undefined
  readonly mostSessions?: number | null | undefined
}

const changed = (before: SessionLifetime, changes: LifetimeChanges = {}): SessionLifetime => ({
  idleMinutes: changes.idleMinutes ?? before.idleMinutes,
  longestMinutes: changes.longestMinutes ?? before.longestMinutes,
})

const changedPolicy = (before: SessionPolicy, changes: PolicyChanges): SessionPolicy => ({
  remembered: changed(before.remembered, changes.remembered),
  notRemembered: changed(before.notRemembered, changes.notRemembered),
  mostSessions: changes.mostSessions === undefined ? before.mostSessions : changes.mostSessions,
})

/** Story: an owner says how long sessions last. What is over by the new lifetimes ends with the same write. */
export async function changeSessionPolicy(
  needs: Pick<SessionDeps, 'database' | 'clock' | 'newId'>,
  by: { readonly actor: Actor; readonly address: string },
  changes: PolicyChanges,
): Promise<SessionPolicy> {
  return needs.database.write(async ({ db }) => {
    const before = await findSessionPolicy(db)
    const after = changedPolicy(before, changes)
    const errors = validateSessionPolicy(after)
    if (errors.length > 0) {
      throw new Problem('values-invalid', 'Invalid session policy. Nothing was changed.', { errors })
    }
    const kept = { before: printPolicy(before), after: printPolicy(after) }
    if (kept.before === kept.after) return before

    await storeSessionPolicy(db, after)
    const ended = await endOverdueSessions(db, { before, after, now: needs.clock() })
    await writeAudit(db, needs, {
      kind: 'session-policy-changed',
      userId: userIdOf(by.actor),
      address: by.address,
      details: { ...kept, ended: String(ended) },
    })
    return after
  })
}
