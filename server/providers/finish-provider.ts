import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import { finishOrChallenge, type SignInOutcome } from '#server/factors/finish-or-challenge.ts'
import type { Device } from '#server/sessions/session-needs.ts'
import { reachProvider } from './begin-provider.ts'
import { fetchIdentity, type Identity } from './identity.ts'
import { acceptByProvider, linkIdentity } from './link-identity.ts'
import type { Provider } from './open-providers.ts'
import { proveByProvider } from './prove-by-provider.ts'
import { describeProviderFault, providerProblem } from './provider-faults.ts'
import type { ProviderNeeds } from './provider-needs.ts'
import { findLinkedUser, findTransaction, type ProviderTransaction, takeTransaction } from './store.ts'
import { TRANSACTION_LIFETIME_MS } from './transaction-cookie.ts'
import { isState, isTransactionSecret, secretsOf, transactionId } from './transaction-secrets.ts'

/** What the callback page brings back. */
export type ProviderReturn = {
  /** The address the provider sent the browser to. */
  readonly url: string
  /** From this browser's cookie. */
  readonly secret: string | undefined
  readonly device: Device
  /** The refresh token this browser still holds. */
  readonly replaces: string | undefined
  /** The sessions that this browser shows to be its own. */
  readonly ownSessions: readonly string[]
}

/** What came of it; `linked` and `proven`: nobody signed in, whoever is signed in got what they came for. */
export type ProviderOutcome = {
  readonly outcome: SignInOutcome | { readonly type: 'linked' | 'proven' }
  readonly returnTo: string | null
}

const transactionGone = (): Problem =>
  new Problem(
    'gone',
    'This sign-in was finished already, took longer than ten minutes, or was begun in another browser. Begin again.',
  )

/** Finishes a sign-in with a provider: proves its answer, finds whose it is, and signs in, links, or takes it as a proof. */
export async function finishProvider(needs: ProviderNeeds, returned: ProviderReturn): Promise<ProviderOutcome> {
  const { secret, device } = returned
  if (secret === undefined || !isTransactionSecret(secret)) throw transactionGone()
  const secrets = secretsOf(secret)
  const answer = answerAddress(returned.url, needs.publicUrl)
  // An answer to something else leaves what waits for its own answer as it is.
  if (!isState(secrets.state, answer.searchParams.get('state'))) throw transactionGone()
  const transaction = await findTransaction(needs.database.read, transactionId(secret), needs.clock())
  if (transaction === undefined) throw transactionGone()
  if (transaction.purpose !== 'sign-in') requireOwnSession(transaction, returned.ownSessions)

  const provider = await reachProvider(needs, transaction.provider)
  const isFirst = await needs.database.write(({ db }) => takeTransaction(db, transaction.id))
  if (!isFirst) throw transactionGone()
  const identity = await fetchIdentity(provider, answer, secrets)
  if (!identity.ok) throw await failure(needs, provider, device, identity.fault)
  const outcome = await goOn(needs, { transaction, identity: identity.value, provider }, returned)
  return { outcome, returnTo: transaction.returnTo }
}

type Arrival = {
  readonly transaction: ProviderTransaction
  readonly identity: Identity
  readonly provider: Provider
}

/** Does what one went to the provider for. */
async function goOn(
  needs: ProviderNeeds,
  { transaction, identity, provider }: Arrival,
  returned: ProviderReturn,
): Promise<ProviderOutcome['outcome']> {
  const { purpose, userId, sessionId, isRemembered, endsAt } = transaction
  const { address } = returned.device
  if (purpose === 'sign-in') return signIn(needs, provider, identity, { ...returned, isRemembered })
  if (userId === null || sessionId === null) throw transactionGone()
  if (purpose === 'link') {
    await linkIdentity(needs, { identity, provider, userId, address })
    return { type: 'linked' }
  }
  const begunAt = new Date(endsAt.getTime() - TRANSACTION_LIFETIME_MS)
  await proveByProvider(needs, { identity, provider, userId, sessionId, address, begunAt })
  return { type: 'proven' }
}

/** The host is our own, whatever the page says; the provider itself compares the path with the one it was begun with. */
function answerAddress(url: string, publicUrl: URL): URL {
  const given = URL.parse(url, publicUrl)
  if (given === null) throw new Problem('invalid-request', 'This is not the address a provider sends people back to.')
  const answer = new URL(publicUrl)
  answer.pathname = given.pathname
  answer.search = given.search
  return answer
}

/** A link or a proof is finished by the very session that began it, or not at all. */
function requireOwnSession({ sessionId }: ProviderTransaction, ownSessions: readonly string[]): void {
  if (sessionId !== null && ownSessions.includes(sessionId)) return
  throw new Problem('session-ended', 'The sign-in in which you began this is over. Sign in and begin again.')
}

/** Writes a failure at the provider down, and gives the sentence for it. */
async function failure(needs: ProviderNeeds, provider: Provider, { address }: Device, fault: Error): Promise<Problem> {
  needs.log.warn({ provider: provider.name, fault: describeProviderFault(fault) }, 'a sign-in by provider failed')
  await auditFailure(needs, provider, { address, userId: null, why: 'not-proven' })
  return providerProblem(provider.label, fault)
}

type Failure = { readonly address: string; readonly userId: UserId | null; readonly why: string }

const auditFailure = (needs: ProviderNeeds, { name }: Provider, { address, userId, why }: Failure): Promise<void> =>
  needs.database.write(({ db }) =>
    writeAudit(db, needs, {
      kind: 'sign-in-failed',
      userId,
      address,
      details: { method: 'provider', provider: name, why },
    }),
  )

async function signIn(
  needs: ProviderNeeds,
  provider: Provider,
  identity: Identity,
  { device, replaces, isRemembered }: ProviderReturn & { readonly isRemembered: boolean },
): Promise<SignInOutcome> {
  const linked = await findLinkedUser(needs.database.read, identity)
  const { address } = device
  if (linked?.isDisabled === true) {
    await auditFailure(needs, provider, { address, userId: linked.id, why: 'disabled' })
    throw new Problem('login-refused', 'Your account in this workspace is turned off. Ask an owner to turn it on.')
  }
  const userId = linked?.id ?? (await comeByInvitation(needs, provider, identity, device))
  if (userId === undefined) {
    await auditFailure(needs, provider, { address, userId: null, why: 'not-linked' })
    throw new Problem(
      'login-refused',
      `No account here is linked with your sign-in at ${provider.label}. Sign in another way and link it in your security settings, or ask an owner for an invitation.`,
    )
  }
  const provenAt = askedAt(identity, needs.clock())
  const step = { userId, kind: 'browser', device, methods: ['provider'], isRemembered, provenAt, replaces } as const
  return finishOrChallenge(needs, step)
}

/**
 * When the provider last asked its visitor who they are, by our clock. One that lets them pass unasked signs them in, but
 * that opens no sensitive setting; one that does not tell is taken at its word.
 */
function askedAt({ authenticatedAtSeconds, issuedAtSeconds }: Identity, now: Date): Date {
  const agoSeconds = issuedAtSeconds - (authenticatedAtSeconds ?? issuedAtSeconds)
  return new Date(now.getTime() - Math.max(0, agoSeconds) * 1000)
}

/** Somebody nobody has linked may have been invited. */
async function comeByInvitation(
  needs: ProviderNeeds,
  provider: Provider,
  identity: Identity,
  device: Device,
): Promise<UserId | undefined> {
  const email = await identity.verifiedEmail()
  if (!email.ok) throw await failure(needs, provider, device, email.fault)
  if (email.value === undefined) return undefined
  return acceptByProvider(needs, { identity, provider, address: device.address, email: email.value })
}
