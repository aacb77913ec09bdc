import { emailPlace } from '#server/identity/branding/workspace-branding.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { languageOfUser, type LocalizedText, secondFactorEmail } from '#server/platform/mail/email-templates.ts'
import type { FactorDeps } from './factor-deps.ts'
import { findFactorUser } from './store.ts'

/**
 * Emails a user about a change to their factors, in case someone else made it. The email is stored in the same
 * transaction as the change.
 */
export async function notifyUser(
  transaction: Transaction,
  deps: Pick<FactorDeps, 'mailer' | 'publicUrl'>,
  userId: UserId,
  news: LocalizedText,
): Promise<void> {
  const user = await findFactorUser(transaction.db, userId)
  if (user === undefined) return
  const language = await languageOfUser(transaction.db, userId)
  const place = await emailPlace(transaction.db, deps)
  await deps.mailer.post(transaction, secondFactorEmail(place, { to: user.email, name: user.name, language }, news))
}
