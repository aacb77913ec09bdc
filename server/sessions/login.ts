import type { SessionKind } from '#domain/sessions/session.ts'
import { Problem } from '#domain/shared/problem.ts'
import { finishOrChallenge, type SignInOutcome } from '#server/factors/finish-or-challenge.ts'
import { foldEmail } from '#server/users/create-user.ts'
import { isPassword } from '#server/users/password-hash.ts'
import type { Device, SessionNeeds } from './session-needs.ts'
import { findLogin } from './store.ts'
import { addressKey, type TryCounter } from './try-counter.ts'

/** What a sign-in needs besides: the counter of failed tries. */
export type LoginNeeds = SessionNeeds & { readonly tries: TryCounter<'pair' | 'address' | 'account'> }

/** What is given to sign in. `replaces`: the refresh token this browser still holds. */
export type LoginAttempt = {
  readonly email: string
  readonly password: string
  readonly kind: SessionKind
  readonly device: Device
  readonly replaces?: string | undefined
}

/** Signs in, or asks for the second factor. Whoever is refused learns nothing about why: not from the words, the status or the time. */
export async function login(needs: LoginNeeds, attempt: LoginAttempt): Promise<SignInOutcome> {
  const account = foldEmail(attempt.email)
  const address = addressKey(attempt.device.address)
  const started = needs.tries.begin({ pair: `${account} ${address}`, address, account })

  const found = await findLogin(needs.database.read, account)
  const isRight = await isPassword(found?.passwordHash, attempt.password)
  if (!isRight || found === undefined || found.account.isDisabled) {
    throw new Problem('login-refused', 'The e-mail address or the password is not right.')
  }
  started.succeeded()
  return finishOrChallenge(needs, {
    userId: found.account.id,
    kind: attempt.kind,
    device: attempt.device,
    methods: ['password'],
    replaces: attempt.replaces,
  })
}
