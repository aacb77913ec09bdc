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
    en: 'whoever manages users took all your second factors away, and you were signed out everywhere. Your password alone lets you in now; set up a second factor again.',
    de: 'Wer die Benutzer verwaltet, hat alle Ihre zweiten Faktoren entfernt, und Sie wurden überall abgemeldet. Ihr Passwort allein lässt Sie jetzt hinein; richten Sie wieder einen zweiten Faktor ein.',
  },
  'no-password': {
    en: 'whoever manages users took all your second factors away, and you were signed out everywhere. No password lets you in now: choose one with “Forgot your password?” on the sign-in page, or come by an identity provider if you linked one.',
    de: 'Wer die Benutzer verwaltet, hat alle Ihre zweiten Faktoren entfernt, und Sie wurden überall abgemeldet. Kein Passwort lässt Sie jetzt hinein: Wählen Sie eines mit „Passwort vergessen?“ auf der Anmeldeseite, oder kommen Sie über einen Identitätsanbieter, falls Sie einen verknüpft haben.',
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
  if (byId === userId) throw new Problem('forbidden', 'Change your own factors in your security settings.')
  await needs.database.write(
    async (transaction) => {
      const { db } = transaction
      const user = await findFactorUser(db, userId)
      if (user === undefined) throw new Problem('not-found', 'There is no such user.')
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
