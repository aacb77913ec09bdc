import type { Logger } from 'pino'
import { ADDRESS_RULE, type ThrottleRule } from '#domain/sessions/login-throttle.ts'
import { clientAddressKey } from '#server/platform/http/client-address.ts'
import type { AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'
import { foldEmail } from '#server/identity/users/create-user.ts'
import { queueResetEmail } from './reset-password.ts'
import type { PeopleDeps } from '#server/identity/users/change-user.ts'

/** Limits on reset requests. The limit per account is low-impact: strangers must not lock its owner out. */
export const RESET_ATTEMPT_RULES = {
  pair: { freeFailures: 4, maxWaitSeconds: 900 },
  address: ADDRESS_RULE,
  account: { freeFailures: 10, maxWaitSeconds: 120 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

export type ResetRequests = {
  /** Accepts a request; throws only when there were too many. */
  readonly ask: (email: string, address: string) => Promise<void>
  readonly stop: () => Promise<void>
}

type ResetRequestDeps = PeopleDeps & {
  readonly log: Logger
  readonly resetTries: AttemptCounter<'pair' | 'address' | 'account'>
}

/** Responds before anything is looked up, so that timing does not reveal whether an account exists. */
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
