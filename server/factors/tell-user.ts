import type { UserId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/database/database.ts'
import { languageOfUser } from '#server/database/user-language.ts'
import { factorLetter, type Said } from '#server/mail/mail-texts.ts'
import type { FactorNeeds } from './factor-needs.ts'
import { findFactorUser } from './store.ts'

/** Tells somebody what happened to their factors, in case it was not them; the letter is part of the write it tells of. */
export async function tellUser(
  transaction: Transaction,
  needs: Pick<FactorNeeds, 'mailer' | 'publicUrl'>,
  userId: UserId,
  news: Said,
): Promise<void> {
  const user = await findFactorUser(transaction.db, userId)
  if (user === undefined) return
  const language = await languageOfUser(transaction.db, userId)
  await needs.mailer.post(transaction, factorLetter(needs, { to: user.email, name: user.name, language }, news))
}
