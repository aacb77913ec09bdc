import type { Actor } from '#domain/access/actor.ts'
import type { Clock } from '#domain/shared/clock.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Database } from '#server/database/database.ts'
import { findProof } from './store.ts'

/** How long a proof of who one is opens sensitive settings (session reference, "fresh authentication"). */
export const PROOF_LIFETIME_MS = 15 * 60 * 1000

/**
 * Lets a sensitive setting through only when whoever is signed in proved who they are at most 15 minutes ago; the page
 * then asks for the password, a code or a passkey and tries again.
 */
export async function requireRecentProof(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
): Promise<void> {
  if (actor.type === 'system') return
  const provenAt =
    actor.type === 'user' && actor.sessionId !== null ? await findProof(database.read, actor.sessionId) : undefined
  if (provenAt !== undefined && clock().getTime() - provenAt.getTime() <= PROOF_LIFETIME_MS) return
  throw new Problem(
    'step-up-needed',
    'This setting is sensitive. Prove once more that it is you, then it opens for 15 minutes.',
  )
}
