import type { Actor } from '#domain/access/actor.ts'
import type { SignInMethod } from '#domain/sessions/session.ts'
import type { Clock } from '#domain/shared/time.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { SessionId } from '#domain/shared/ids.ts'
import type { Database, Reader } from '#server/platform/database/database.ts'
import { findAuthenticatedAt, findMethods, saveProof } from '#server/identity/sessions/store.ts'

/** How long sensitive settings stay accessible after re-authentication. */
export const REAUTHENTICATION_LIFETIME_MS = 15 * 60 * 1000

/** Throws unless the user re-authenticated within the last 15 minutes; the page then prompts the user and retries. */
export async function requireReauthentication(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
): Promise<void> {
  if (actor.type === 'system') return
  const provenAt =
    actor.type === 'user' && actor.sessionId !== null
      ? await findAuthenticatedAt(database.read, actor.sessionId)
      : undefined
  // If the clock was set back, the re-authentication counts as expired.
  if (provenAt !== undefined && Math.abs(clock().getTime() - provenAt.getTime()) <= REAUTHENTICATION_LIFETIME_MS) return
  throw new Problem('step-up-needed', 'Confirm it’s you to use this setting. You won’t be asked again for 15 minutes.')
}

export const methodsOfSession = (db: Reader, sessionId: SessionId): Promise<string[] | undefined> =>
  findMethods(db, sessionId)

export const lastAuthenticatedAt = (db: Reader, sessionId: SessionId): Promise<Date | undefined> =>
  findAuthenticatedAt(db, sessionId)

export async function recordAuthentication(
  db: Reader,
  proof: { readonly sessionId: SessionId; readonly method: SignInMethod; readonly now: Date },
): Promise<void> {
  const methods = await findMethods(db, proof.sessionId)
  if (methods === undefined) return
  await saveProof(db, proof.sessionId, { provenAt: proof.now, methods: [...new Set([...methods, proof.method])] })
}
