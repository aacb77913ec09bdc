import * as api from '#api/account.ts'
import type { SessionUser } from '#api/sessions.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decideImpersonation } from '#domain/access/impersonation.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { findUserWithRights } from '#server/access/rights/rights.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'
import { type SessionDeps, sessionEndTime } from '#server/identity/sessions/session-deps.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { allowWhileImpersonated, canByHand, signedInByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { impersonationProblem, type UserActor } from './impersonated-actor.ts'
import { findView, setView } from './store.ts'

export type ViewAsDeps = Pick<SessionDeps, 'database' | 'clock' | 'newId'> & { readonly rightsOf: RightsOf }

export type ImpersonatedUser = { readonly id: UserId; readonly name: string }

/** Starts impersonating a user in this session, until the session ends at the latest. */
async function beginImpersonation(deps: ViewAsDeps, by: AuditActor, wanted: UserId): Promise<ImpersonatedUser> {
  const { session, self } = sessionOf(by.actor)
  if (wanted === self.userId) throw new Problem('forbidden', 'You can’t view as yourself.')
  return deps.database.write(async ({ db }) => {
    const user = await findUserWithRights(db, deps.rightsOf, wanted)
    if (user === undefined) throw new Problem('not-found', 'This user doesn’t exist or is deactivated.')
    const outcome = decideImpersonation({ roles: self.roles ?? [], grants: self.grants }, user.rights)
    if (outcome !== 'allowed') throw impersonationProblem(outcome)

    const before = await findView(db, session)
    if (before?.id === wanted) return before
    if (before) await auditImpersonation(deps, db, by, { session, kind: 'view-as-ended', aboutId: before.id })
    await setView(db, session, wanted)
    // Expiry isn't logged, because a session's absolute expiry never changes and is part of this entry.
    const until = (await sessionEndTime(db, session))?.toISOString() ?? ''
    await auditImpersonation(deps, db, by, { session, kind: 'view-as-begun', aboutId: wanted, until })
    return { id: user.id, name: user.name }
  })
}

/** Ends impersonation in this session; does nothing if there is none. */
async function endImpersonation(deps: ViewAsDeps, by: AuditActor): Promise<void> {
  const { session } = sessionOf(by.actor)
  await deps.database.write(async ({ db }) => {
    const before = await findView(db, session)
    if (before === undefined) return
    await setView(db, session, null)
    await auditImpersonation(deps, db, by, { session, kind: 'view-as-ended', aboutId: before.id })
  })
}

function sessionOf(actor: Actor): { readonly session: SessionId; readonly self: UserActor } {
  if (actor.type === 'user' && actor.sessionId !== null) return { session: actor.sessionId, self: actor }
  throw new Problem('token-missing', 'Sign in to do this.')
}

type ImpersonationEvent = {
  readonly session: SessionId
  readonly kind: 'view-as-begun' | 'view-as-ended'
  readonly aboutId: UserId
  readonly until?: string
}

/** Logs the real user, even for requests made while impersonating. */
async function auditImpersonation(
  deps: ViewAsDeps,
  db: Reader,
  { actor, address }: AuditActor,
  noted: ImpersonationEvent,
): Promise<void> {
  const { kind, aboutId, ...details } = noted
  const userId = actor.type === 'user' ? (actor.impersonatedBy?.userId ?? actor.userId) : null
  await writeAudit(db, deps, { kind, userId, aboutId, address, details })
}

export const impersonationRoutes = (deps: ViewAsDeps): readonly Route[] => [
  route(api.startImpersonation, canByHand('users:manage'), async ({ actor, body, request }) => ({
    user: await beginImpersonation(deps, { actor, address: request.ip }, body.user),
  })),
  route(api.stopImpersonation, allowWhileImpersonated(signedInByHand), async ({ actor, request }) =>
    endImpersonation(deps, { actor, address: request.ip }),
  ),
]

export async function showImpersonation(db: Reader, actor: Actor): Promise<SessionUser['view_as']> {
  if (actor.type !== 'user' || actor.sessionId === null) return null
  const { userId: id, name, impersonatedBy, sessionId } = actor
  if (impersonatedBy)
    return {
      user: { id, name },
      by: { id: impersonatedBy.userId, name: impersonatedBy.name },
      is_on: true,
      held: [...impersonatedBy.permissions],
    }
  const user = await findView(db, sessionId)
  return user ? { user, by: { id, name }, is_on: false, held: [] } : null
}
