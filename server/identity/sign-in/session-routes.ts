import * as account from '#api/account.ts'
import { signedInByHand, actingUser, canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import type { SessionBody } from '#api/account.ts'
import { deviceName } from '#domain/sessions/device-name.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { type EndScope, endSessions, findListedSessions, type ListedSession } from '#server/identity/sessions/store.ts'
import * as workspace from '#api/workspace.ts'
import {
  endOverdueSessions,
  findSessionPolicy,
  storeSessionPolicy,
} from '#server/identity/sessions/session-policy-store.ts'
import { userIdOf } from '#domain/access/actor.ts'
import {
  printPolicy,
  type SessionLifetime,
  type SessionPolicy,
  validateSessionPolicy,
} from '#domain/sessions/session-policy.ts'

type SessionOwner = { readonly userId: UserId; readonly sessionId: SessionId | null }

async function listSessions(
  { database, clock }: Pick<SessionDeps, 'database' | 'clock'>,
  owner: SessionOwner,
): Promise<SessionBody[]> {
  const sessions = await findListedSessions(database.read, owner.userId, clock())
  return sessions.map((session) => show(session, owner))
}

const show = (session: ListedSession, owner: SessionOwner): SessionBody => ({
  id: session.id,
  kind: session.kind,
  isCurrent: session.id === owner.sessionId,
  device: deviceName(session.userAgent),
  address: session.address,
  createdAt: session.createdAt,
  usedAt: session.usedAt,
  endsAt: session.endsAt,
})

/** Signs out one device. Returns the same error for another user's session as for a missing session. */
async function endListedSession(
  deps: Pick<SessionDeps, 'database' | 'clock' | 'newId'>,
  { userId, address }: { readonly userId: UserId; readonly address: string },
  id: SessionId,
): Promise<void> {
  await deps.database.write(async ({ db }) => {
    const ended = await endSessions(db, { userId, only: id }, 'ended-from-list', deps.clock())
    if (ended === 0) throw new Problem('not-found', 'Session not found.')
    await writeAudit(db, deps, { kind: 'session-ended', userId, address, details: { session: id } })
  })
}

async function endListedSessions(
  deps: Pick<SessionDeps, 'database' | 'clock' | 'newId'>,
  { userId, sessionId, address }: SessionOwner & { readonly address: string },
  scope: 'others' | 'all',
): Promise<number> {
  const ending: EndScope = { userId, ...(scope === 'others' && sessionId !== null && { allBut: sessionId }) }
  return deps.database.write(async ({ db }) => {
    const ended = await endSessions(db, ending, 'ended-from-list', deps.clock())
    if (ended > 0) {
      const details = { scope, ended: String(ended) }
      await writeAudit(db, deps, { kind: 'session-ended', userId, address, details })
    }
    return ended
  })
}

/** Ending a single session doesn't require re-authentication; ending all sessions does. */
export const accountSessionRoutes = (deps: SessionDeps & { readonly cookie: RefreshCookie }): readonly Route[] => [
  route(account.listSessions, signedInByHand, async ({ actor }) => ({
    items: await listSessions(deps, actingUser(actor)),
  })),
  route(account.endSession, signedInByHand, async ({ actor, params, request }) =>
    endListedSession(deps, { userId: actingUser(actor).userId, address: request.ip }, params.session),
  ),
  route(account.endSessions, signedInByHand, async ({ actor, query, request, reply }) => {
    await requireReauthentication(deps, actor)
    const ended = await endListedSessions(deps, { ...actingUser(actor), address: request.ip }, query.scope)
    if (query.scope === 'all') deps.cookie.clear(reply)
    return { ended }
  }),
]

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

/** Changes the session policy and, in the same transaction, ends sessions that have expired under the new lifetimes. */
async function changeSessionPolicy(
  deps: Pick<SessionDeps, 'database' | 'clock' | 'newId'>,
  by: AuditActor,
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
  route(workspace.readSessionPolicy, canByHand('workspace:manage'), async () => findSessionPolicy(deps.database.read)),
  route(workspace.changeSessionPolicy, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return changeSessionPolicy(deps, { actor, address: request.ip }, body)
  }),
]
