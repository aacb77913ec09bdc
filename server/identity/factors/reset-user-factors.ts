import { userIdOf } from '#domain/access/actor.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { endAllSessions } from '#server/identity/sessions/end-session.ts'
import { assertAssignable, accessStateIn } from '#server/access/rights/grantable-roles.ts'
import type { AuditActor } from '#server/identity/users/user-deps.ts'
import { dropAllFactors } from './drop-all-factors.ts'
import type { FactorDeps } from './factor-deps.ts'
import { findFactorUser, rolesOf } from './store.ts'
import { notifyUser } from './notify-user.ts'

const NOTIFICATION = {
  password: {
    en: 'a user manager removed all your second factors, and you were signed out everywhere. You can sign in with your password only. Set up a second factor again.',
    de: 'In der Personenverwaltung wurden alle Ihre zweiten Faktoren entfernt, und Sie wurden überall abgemeldet. Sie können sich nur mit Ihrem Passwort anmelden. Richten Sie wieder einen zweiten Faktor ein.',
  },
  'no-password': {
    en: 'a user manager removed all your second factors, and you were signed out everywhere. You have no password: set one with “Forgot your password?” on the sign-in page, or sign in with a linked identity provider.',
    de: 'In der Personenverwaltung wurden alle Ihre zweiten Faktoren entfernt, und Sie wurden überall abgemeldet. Sie haben kein Passwort: Legen Sie eines mit „Passwort vergessen?“ auf der Anmeldeseite fest oder melden Sie sich über einen verbundenen Identitätsanbieter an.',
  },
} as const

/**
 * Story: lets somebody back in who lost every second factor. All their sessions end, as what was lost may have been
 * stolen; they sign in with their password and are told by letter.
 */
export async function resetUserFactors(
  needs: FactorDeps,
  { actor, address }: AuditActor,
  userId: UserId,
): Promise<void> {
  const byId = userIdOf(actor)
  if (byId === userId) throw new Problem('forbidden', 'Manage your own factors in your security settings.')
  await needs.database.write(
    async (transaction) => {
      const { db } = transaction
      const user = await findFactorUser(db, userId)
      if (user === undefined) throw new Problem('not-found', 'User not found.')
      assertAssignable(actor, await accessStateIn(needs, transaction), await rolesOf(db, userId))
      const left = await dropAllFactors(transaction, userId)
      await endAllSessions(transaction, userId, 'factors-removed', needs.clock())
      const details = { factor: 'all' }
      await writeAudit(db, needs, { kind: 'factor-removed', userId: byId, aboutId: userId, address, details })
      await notifyUser(transaction, needs, userId, NOTIFICATION[left])
    },
    { alone: 'owners' },
  )
}
