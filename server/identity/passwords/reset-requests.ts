import type { Logger } from 'pino'
import { ADDRESS_RULE, type ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { clientAddressKey } from '#server/platform/http/client-address.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import { foldEmail } from '#server/identity/users/create-user.ts'
import { queueResetEmail } from './reset-password.ts'
import type { PeopleDeps } from '#server/identity/users/change-user.ts'

/** How often a link may be asked for. An account is slowed only a little: its owner must not be kept out by strangers. */
export const RESET_ATTEMPT_RULES = {
  pair: { freeFailures: 4, maxWaitSeconds: 900 },
  address: ADDRESS_RULE,
  account: { freeFailures: 10, maxWaitSeconds: 120 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** Where links for a new password are asked for. */
export type ResetRequests = {
  /** Takes the wish and goes on; throws only when there were too many. */
  readonly ask: (email: string, address: string) => Promise<void>
  /** Waits for the wishes taken so far. */
  readonly stop: () => Promise<void>
}

type ResetRequestDeps = PeopleDeps & {
  readonly log: Logger
  readonly resetTries: AttemptCounter<'pair' | 'address' | 'account'>
}

/**
 * Wishes are answered before anything is looked up: an address that has an account and one that has none cannot be told
 * apart by the time either.
 */
export function createResetRequests(deps: ResetRequestDeps): ResetRequests {
  let underWay: Promise<void> = Promise.resolve()
  return {
    ask: async (email, address) => {
      const account = foldEmail(email)
      const from = clientAddressKey(address)
      await deps.resetTries.count({ pair: [account, from], address: from, account })
      underWay = underWay
        .then(() => queueResetEmail(deps, email, address))
        .then(undefined, (error: unknown) => deps.log.error({ err: error }, 'password reset email failed'))
    },
    stop: () => underWay,
  }
}
