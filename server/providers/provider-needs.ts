import type { Logger } from 'pino'
import type { Mailer } from '#server/mail/mailer.ts'
import type { SessionDeps } from '#server/sessions/session-needs.ts'
import type { SessionSettings } from '#server/config-session.ts'
import type { AttemptCounter } from '#server/sessions/try-counter.ts'
import type { ProviderRegistry } from './open-providers.ts'

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
  address: { freeFailures: 200, longestWaitSeconds: 10, forgetsOneEverySeconds: 10 },
} as const
