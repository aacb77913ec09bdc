import type { Logger } from 'pino'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import type { SessionSettings } from '#server/platform/config/session-settings.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import type { ProviderRegistry } from './provider-registry.ts'

/** What every story about providers needs. */
export type ProviderDeps = SessionDeps & {
  readonly providers: ProviderRegistry
  /** Where providers send people back to, and whose pages may begin. */
  readonly publicUrl: URL
  readonly session: SessionSettings
  readonly log: Logger
  readonly mailer: Mailer
  /** Counts sign-ins that were begun. */
  readonly beginTries: AttemptCounter<'address'>
}

/** Beginning costs next to nothing, and a whole office may share an address; this only keeps a flood out. */
export const BEGIN_RULES = {
  address: { freeFailures: 200, maxWaitSeconds: 10, decaySeconds: 10 },
} as const
