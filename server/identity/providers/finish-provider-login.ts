import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { finishFirstStep, type SignInOutcome } from '#server/identity/factors/finish-first-step.ts'
import type { Device } from '#server/identity/sessions/session-deps.ts'
import { getReadyProvider } from './begin-provider-login.ts'
import { fetchIdentity, type Identity } from './provider-identity.ts'
import { acceptInvitationByProvider, linkIdentity } from './link-identity.ts'
import type { Provider } from './provider-registry.ts'
import { reauthenticateWithProvider } from './reauthenticate-with-provider.ts'
import { describeProviderFault, providerProblem } from './provider-errors.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { findLinkedUser, findTransaction, type ProviderTransaction, consumeTransaction } from './store.ts'
import {
  isState,
  isTransactionSecret,
  secretsOf,
  TRANSACTION_LIFETIME_MS,
  transactionId,
} from './transaction-cookie.ts'

export type ProviderCallback = {
  readonly url: string
  readonly secret: string | undefined
  readonly device: Device
  readonly replaces: string | undefined
  readonly ownSessions: readonly string[]
}

export type ProviderResult = {
  readonly outcome: SignInOutcome | { readonly type: 'linked' | 'proven' }
  readonly returnTo: string | null
}

const transactionExpired = (): Problem =>
  new Problem(
    'gone',
    'This sign-in was already completed, took longer than ten minutes, or was started in another browser. Start again.',
  )

export async function finishProviderLogin(deps: ProviderDeps, returned: ProviderCallback): Promise<ProviderResult> {
  const { secret, device } = returned
  if (secret === undefined || !isTransactionSecret(secret)) throw transactionExpired()
  const secrets = secretsOf(secret)
  const answer = callbackAddress(returned.url, deps.publicUrl)
  // A response to a different request leaves the pending sign-in unchanged.
  if (!isState(secrets.state, answer.searchParams.get('state'))) throw transactionExpired()
  const transaction = await findTransaction(deps.database.read, transactionId(secret), deps.clock())
  if (transaction === undefined) throw transactionExpired()
  if (transaction.purpose !== 'sign-in') requireOwnSession(transaction, returned.ownSessions)

  const provider = await getReadyProvider(deps, transaction.provider)
  const isFirst = await deps.database.write(({ db }) => consumeTransaction(db, transaction.id))
  if (!isFirst) throw transactionExpired()
  const identity = await fetchIdentity(provider, answer, secrets)
  if (!identity.ok) throw await recordFailure(deps, provider, device, identity.fault)
  const outcome = await continueLogin(deps, { transaction, identity: identity.value, provider }, returned)
  return { outcome, returnTo: transaction.returnTo }
}

type ProviderArrival = {
  readonly transaction: ProviderTransaction
  readonly identity: Identity
  readonly provider: Provider
}

async function continueLogin(
  deps: ProviderDeps,
  { transaction, identity, provider }: ProviderArrival,
  returned: ProviderCallback,
): Promise<ProviderResult['outcome']> {
  const { purpose, userId, sessionId, isRemembered, endsAt } = transaction
  const { address } = returned.device
  if (purpose === 'sign-in') return signIn(deps, provider, identity, { ...returned, isRemembered })
  if (userId === null || sessionId === null) throw transactionExpired()
  if (purpose === 'link') {
    await linkIdentity(deps, { identity, provider, userId, address })
    return { type: 'linked' }
  }
  const begunAt = new Date(endsAt.getTime() - TRANSACTION_LIFETIME_MS)
  await reauthenticateWithProvider(deps, { identity, provider, userId, sessionId, address, begunAt })
  return { type: 'proven' }
}

/**
 * Always uses our own host, whatever the page sends; the provider checks the path against the requested redirect URI.
 */
function callbackAddress(url: string, publicUrl: URL): URL {
  const given = URL.parse(url, publicUrl)
  if (given === null) throw new Problem('invalid-request', 'The URL isn’t an identity provider callback URL.')
  const answer = new URL(publicUrl)
  answer.pathname = given.pathname
  answer.search = given.search
  return answer
}

/** Only the session that started linking or re-authentication can complete it. */
function requireOwnSession({ sessionId }: ProviderTransaction, ownSessions: readonly string[]): void {
  if (sessionId !== null && ownSessions.includes(sessionId)) return
  throw new Problem('session-ended', 'The session you started this in has ended. Sign in and start again.')
}

async function recordFailure(
  deps: ProviderDeps,
  provider: Provider,
  { address }: Device,
  fault: Error,
): Promise<Problem> {
  deps.log.warn(
    { provider: provider.name, fault: describeProviderFault(fault) },
    'sign-in with identity provider failed',
  )
  await auditFailure(deps, provider, { address, userId: null, why: 'not-proven' })
  return providerProblem(provider.label, fault)
}

type Failure = { readonly address: string; readonly userId: UserId | null; readonly why: string }

const auditFailure = (deps: ProviderDeps, { name }: Provider, { address, userId, why }: Failure): Promise<void> =>
  deps.database.write(({ db }) =>
    writeAudit(db, deps, {
      kind: 'sign-in-failed',
      userId,
      address,
      details: { method: 'provider', provider: name, why },
    }),
  )

async function signIn(
  deps: ProviderDeps,
  provider: Provider,
  identity: Identity,
  { device, replaces, isRemembered }: ProviderCallback & { readonly isRemembered: boolean },
): Promise<SignInOutcome> {
  const linked = await findLinkedUser(deps.database.read, identity)
  const { address } = device
  if (linked?.isDisabled === true) {
    await auditFailure(deps, provider, { address, userId: linked.id, why: 'disabled' })
    throw new Problem('login-refused', 'Your account in this workspace is deactivated. Ask an owner to reactivate it.')
  }
  const userId = linked?.id ?? (await acceptProviderInvitation(deps, provider, identity, device))
  if (userId === undefined) {
    await auditFailure(deps, provider, { address, userId: null, why: 'not-linked' })
    throw new Problem(
      'login-refused',
      `No account is linked to your ${provider.label} sign-in. Sign in another way and link it in your security settings, or ask an owner for an invitation.`,
    )
  }
  const provenAt = lastAuthenticatedAt(identity, deps.clock())
  const step = { userId, kind: 'browser', device, methods: ['provider'], isRemembered, provenAt, replaces } as const
  return finishFirstStep(deps, step)
}

/**
 * When the provider authenticated the user, according to our clock. If the provider doesn't send `auth_time`, the
 * authentication counts as recent; an older one signs the user in but doesn't count as re-authentication.
 */
function lastAuthenticatedAt({ authenticatedAtSeconds, issuedAtSeconds }: Identity, now: Date): Date {
  const agoSeconds = issuedAtSeconds - (authenticatedAtSeconds ?? issuedAtSeconds)
  return new Date(now.getTime() - Math.max(0, agoSeconds) * 1000)
}

/** An identity that isn't linked may belong to an invited user. */
async function acceptProviderInvitation(
  deps: ProviderDeps,
  provider: Provider,
  identity: Identity,
  device: Device,
): Promise<UserId | undefined> {
  const email = await identity.verifiedEmail()
  if (!email.ok) throw await recordFailure(deps, provider, device, email.fault)
  if (email.value === undefined) return undefined
  return acceptInvitationByProvider(deps, { identity, provider, address: device.address, email: email.value })
}
