import type { SessionKind } from '#domain/sessions/session.ts'
import type { LoginCounter } from '#domain/sessions/login-throttle.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { finishFirstStep, type SignInOutcome } from '#server/identity/factors/finish-first-step.ts'
import { foldEmail } from '#server/identity/users/create-user.ts'
import { isPassword } from '#server/identity/passwords/password-hash.ts'
import type { KnownDevice } from '#server/identity/session-tokens/refresh-cookie.ts'
import { passwordFingerprint } from './assert-sign-in-current.ts'
import type { Device, SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { findLogin } from '#server/identity/sessions/store.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import type { AttemptSubjects, AttemptCounter } from '#server/identity/attempts/attempt-counter.ts'

export type LoginDeps = SessionDeps & { readonly tries: AttemptCounter<LoginCounter> }

export type LoginAttempt = {
  readonly email: string
  readonly password: string
  readonly kind: SessionKind
  readonly device: Device
  readonly isRemembered: boolean
  readonly replaces?: string | undefined
  readonly knownDevice?: KnownDevice | undefined
}

/** Signs in, or starts the second step. A rejection doesn't reveal its reason through text, status or timing. */
export async function login(deps: LoginDeps, attempt: LoginAttempt): Promise<SignInOutcome> {
  const account = foldEmail(attempt.email)
  const found = await findLogin(deps.database.read, account)
  const counted = attemptKeysOf(attempt, account, found?.account.id)
  const signingIn = await deps.tries.attempt(counted, async () => {
    const isRight = await isPassword(found?.passwordHash, attempt.password)
    if (isRight && found !== undefined && !found.account.isDisabled)
      return { userId: found.account.id, passwordMark: passwordFingerprint(found.passwordHash) }
    await recordFailure(deps, attempt, found?.account.id)
    throw new Problem('login-refused', 'Wrong email or password.')
  })
  // A successful sign-in, even from a known browser, also clears other clients' failures for this account.
  if (counted.device !== undefined) await deps.tries.forgive('account', account)
  return finishFirstStep(deps, {
    ...signingIn,
    kind: attempt.kind,
    device: attempt.device,
    methods: ['password'],
    isRemembered: attempt.isRemembered,
    replaces: attempt.replaces,
  })
}

export type LoginAccount = { readonly id: UserId; readonly emailFold: string }

export async function forgiveAccount(
  tries: AttemptCounter<LoginCounter>,
  { id, emailFold }: LoginAccount,
): Promise<void> {
  const [account, pair] = [tries.forgive('account', emailFold), tries.forgive('pair', emailFold)]
  await Promise.all([account, pair, tries.forgive('device', id)])
}

/** Failures of a known browser are counted separately; all others are counted by account and address. */
function attemptKeysOf(
  { knownDevice, device }: LoginAttempt,
  account: string,
  userId: UserId | undefined,
): AttemptSubjects<LoginCounter> {
  if (knownDevice !== undefined && knownDevice.userId === userId)
    return { device: [knownDevice.userId, knownDevice.id] }
  const address = clientAddressKey(device.address)
  return { pair: [account, address], address, account }
}

/**
 * Failures for unknown accounts are also logged, but without the entered name, because users sometimes type a password
 * into the wrong field.
 */
const recordFailure = (deps: LoginDeps, { device }: LoginAttempt, userId: UserId | undefined): Promise<void> =>
  deps.database.write(({ db }) =>
    writeAudit(db, deps, {
      kind: 'sign-in-failed',
      userId: null,
      ...(userId === undefined ? {} : { aboutId: userId }),
      address: device.address,
      details: { method: 'password' },
    }),
  )
