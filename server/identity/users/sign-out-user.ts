import { userIdOf } from '#domain/access/actor.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { assertAssignable, accessStateIn } from '#server/access/rights/grantable-roles.ts'
import { endAllSessions } from '#server/identity/sessions/end-session.ts'
import { findUser } from './store.ts'
import type { AuditActor, PeopleDeps } from './user-deps.ts'

/** Story: signs somebody out everywhere, for a device that was lost; says how many sessions ended. */
export async function signOutUser(needs: PeopleDeps, { actor, address }: AuditActor, id: UserId): Promise<number> {
  if (userIdOf(actor) === id) throw new Problem('forbidden', 'Manage your own sessions in your account settings.')
  return needs.database.write(async (transaction) => {
    const user = await findUser(transaction.db, id)
    if (user === undefined) throw new Problem('not-found', 'User not found.')
    assertAssignable(actor, await accessStateIn(needs, transaction), user.roles)
    const ended = await endAllSessions(transaction, id, 'ended-by-manager', needs.clock())
    const entry = { kind: 'sessions-ended', userId: userIdOf(actor), aboutId: id, address } as const
    if (ended > 0) await writeAudit(transaction.db, needs, { ...entry, details: { ended: String(ended) } })
    return ended
  })
}
