import { emailPlace } from '#server/identity/branding/workspace-branding.ts'
import { deviceName } from '#domain/sessions/device-name.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { languageOfUser, sessionReusedEmail } from '#server/platform/mail/email-templates.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { endSessions, type StoredSession } from './store.ts'

export type EndReusedSessionDeps = {
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly mailer: Mailer
  readonly publicUrl: URL
}

/** Ends a session whose refresh token was reused or never issued, writes an audit entry and emails the user. */
export async function endReusedSession(
  transaction: Transaction,
  deps: EndReusedSessionDeps,
  session: StoredSession,
  address: string,
): Promise<void> {
  const { id, userId, user, userAgent } = session
  const ended = await endSessions(transaction.db, { userId, only: id }, 'refresh-reused', deps.clock())
  if (ended === 0) return
  const entry = { kind: 'refresh-reused', userId: null, aboutId: userId, address, details: { session: id } } as const
  await writeAudit(transaction.db, deps, entry)
  const reader = { to: user.email, name: user.name, language: await languageOfUser(transaction.db, userId) }
  const place = await emailPlace(transaction.db, deps)
  await deps.mailer.post(transaction, sessionReusedEmail(place, reader, deviceName(userAgent)))
}
