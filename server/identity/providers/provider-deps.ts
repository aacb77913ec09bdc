import type { Logger } from 'pino'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import type { SessionSettings } from '#server/platform/config/session-settings.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import type { ProviderRegistry } from './provider-registry.ts'

export type ProviderDeps = SessionDeps & {
  readonly providers: ProviderRegistry
  readonly publicUrl: URL
  readonly session: SessionSettings
  readonly log: Logger
  readonly mailer: Mailer
  readonly beginTries: AttemptCounter<'address'>
}

/**
 * The limit is high and only prevents floods, because starting a sign-in is cheap and a whole office can share one IP
 * address.
 */
export const BEGIN_RULES = {
  address: { freeFailures: 200, maxWaitSeconds: 10, decaySeconds: 10 },
} as const
