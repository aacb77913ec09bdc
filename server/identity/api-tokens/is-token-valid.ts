import { checkApiToken } from '#domain/sessions/tokens.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { Database } from '#server/platform/database/database.ts'
import { findTokenLife } from './store.ts'

/** Whether the token can still be used, for work that outlives its request. */
export async function isTokenValid(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  id: string,
): Promise<boolean> {
  const life = await findTokenLife(database.read, id)
  return life !== undefined && checkApiToken(life, clock()) === 'good'
}
