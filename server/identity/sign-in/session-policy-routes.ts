import * as api from '#api/workspace.ts'
import { canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import {
  endOverdueSessions,
  findSessionPolicy,
  storeSessionPolicy,
} from '#server/identity/sessions/session-policy-store.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import {
  printPolicy,
  type SessionLifetime,
  type SessionPolicy,
  validateSessionPolicy,
} from '#domain/sessions/session-policy.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'

type LifetimeChanges = { readonly [Part in keyof SessionLifetime]?: number | undefined }

type PolicyChanges = {
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

/** Changes the session policy. Sessions expired under the new lifetimes end with the same write. */
async function changeSessionPolicy(
  deps: Pick<SessionDeps, 'database' | 'clock' | 'newId'>,
  by: { readonly actor: Actor; readonly address: string },
  changes: PolicyChanges,
): Promise<SessionPolicy> {
  return deps.database.write(async ({ db }) => {
    const before = await findSessionPolicy(db)
    const after = changedPolicy(before, changes)
    const errors = validateSessionPolicy(after)
    if (errors.length > 0) {
      throw new Problem('values-invalid', 'Invalid session policy. Nothing was changed.', { errors })
    }
    const kept = { before: printPolicy(before), after: printPolicy(after) }
    if (kept.before === kept.after) return before

    await storeSessionPolicy(db, after)
    const ended = await endOverdueSessions(db, { before, after, now: deps.clock() })
    await writeAudit(db, deps, {
      kind: 'session-policy-changed',
      userId: userIdOf(by.actor),
      address: by.address,
      details: { ...kept, ended: String(ended) },
    })
    return after
  })
}

export const sessionPolicyRoutes = (deps: SessionDeps): readonly Route[] => [
  route(api.readSessionPolicy, canByHand('workspace:manage'), async () => findSessionPolicy(deps.database.read)),
  route(api.changeSessionPolicy, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return changeSessionPolicy(deps, { actor, address: request.ip }, body)
  }),
]
