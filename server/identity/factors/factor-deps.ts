import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { AccessStateDeps } from '#server/access/rights/grantable-roles.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import type { FACTOR_RULES } from '#domain/sessions/second-factors.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'

/** The WebAuthn relying party, to which browsers bind passkeys. */
export type RelyingParty = {
  /** The host of the public URL. Changing it invalidates all passkeys. */
  readonly id: string
  readonly origin: string
}

export type LinkedProvider = { readonly name: string; readonly label: string }

export type FactorAttemptCounter = keyof typeof FACTOR_RULES

export type FactorDeps = SessionDeps &
  AccessStateDeps & {
    readonly mailer: Mailer
    readonly publicUrl: URL
    readonly relyingParty: RelyingParty
    readonly providersOf: (db: Reader, userId: UserId) => Promise<readonly LinkedProvider[]>
    readonly factorTries: AttemptCounter<FactorAttemptCounter>
    readonly passkeyTries: AttemptCounter<'address'>
  }

export const relyingPartyAt = (publicUrl: URL): RelyingParty => ({ id: publicUrl.hostname, origin: publicUrl.origin })

export type SignedIn = {
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly address: string
  readonly deviceId: string | undefined
}
