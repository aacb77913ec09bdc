import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { AccessStateDeps } from '#server/access/rights/grantable-roles.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import type { FACTOR_RULES } from '#domain/sessions/second-factors.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'

/** For whom passkeys are made: browsers give them out to this place alone. */
export type RelyingParty = {
  /** The host of the public URL; passkeys are bound to it permanently. */
  readonly id: string
  /** The public address, as browsers name it. */
  readonly origin: string
}

/** An identity provider a user can sign in with. */
export type LinkedProvider = { readonly name: string; readonly label: string }

/** What is counted of tries to prove something. */
export type FactorAttemptCounter = keyof typeof FACTOR_RULES

/** What every story about factors needs. */
export type FactorDeps = SessionDeps &
  AccessStateDeps & {
    readonly mailer: Mailer
    readonly publicUrl: URL
    readonly relyingParty: RelyingParty
    /** The identity providers of the settings that this user has linked. */
    readonly providersOf: (db: Reader, userId: UserId) => Promise<readonly LinkedProvider[]>
    /** Failed proofs by whatever factor, counted together. */
    readonly factorTries: AttemptCounter<FactorAttemptCounter>
    /** Failed sign-ins by passkey alone. */
    readonly passkeyTries: AttemptCounter<'address'>
  }

/** The relying party of a workspace at this address. */
export const relyingPartyAt = (publicUrl: URL): RelyingParty => ({ id: publicUrl.hostname, origin: publicUrl.origin })

/** A signed-in user changing their own account, and their network address. */
export type SignedIn = {
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly address: string
  /** Of a browser they have signed in with before. */
  readonly deviceId: string | undefined
}
