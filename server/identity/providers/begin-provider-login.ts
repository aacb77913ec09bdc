import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'
import type { Provider } from './provider-registry.ts'
import { describeProviderFault, providerUnavailable } from './provider-errors.ts'
import { reauthenticatingUser } from './reauthenticate-with-provider.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { insertTransaction, type ProviderPurpose } from './store.ts'
import { newTransactionSecret, secretsOf, TRANSACTION_LIFETIME_MS, transactionId } from './transaction-cookie.ts'

export type ProviderLoginStart = {
  readonly provider: string
  readonly purpose: ProviderPurpose
  readonly returnTo: string | undefined
  readonly isRemembered: boolean
  readonly actor: Actor
  readonly address: string
}

const callbackUrl = ({ publicUrl, session }: ProviderDeps): string => new URL(session.routes.callback, publicUrl).href

export async function getReadyProvider({ providers, log }: ProviderDeps, name: string): Promise<Provider> {
  const found = await providers.find(name)
  if (found === undefined) throw new Problem('not-found', 'Identity provider not found.')
  if (found.ok) return found.value
  log.warn({ provider: name, fault: describeProviderFault(found.fault) }, 'identity provider unreachable')
  throw providerUnavailable(providers.list().find((one) => one.name === name)?.label ?? name)
}

/** Returns only paths within this workspace, to prevent open redirects. */
function localReturnPath(returnTo: string | undefined, publicUrl: URL): string | null {
  if (returnTo?.startsWith('/') !== true) return null
  const url = URL.parse(returnTo, publicUrl)
  return url?.origin === publicUrl.origin ? `${url.pathname}${url.search}${url.hash}` : null
}

type LinkingUser = { readonly userId: UserId | null; readonly sessionId: SessionId | null }

/** The signed-in user who is linking a provider; must have re-authenticated recently. */
async function linkingUser(deps: ProviderDeps, actor: Actor): Promise<LinkingUser> {
  if (actor.type !== 'user') throw new Problem('token-missing', 'Sign in to link a provider to your account.')
  await requireReauthentication(deps, actor)
  return actor
}

function userForPurpose(
  deps: ProviderDeps,
  { purpose, actor, provider }: ProviderLoginStart,
): Promise<LinkingUser> | LinkingUser {
  switch (purpose) {
    case 'sign-in':
      return { userId: null, sessionId: null }
    case 'link':
      return linkingUser(deps, actor)
    case 'prove':
      return reauthenticatingUser(deps, actor, provider)
  }
}

/** For re-authentication, the provider must prompt the user even if they have an active session there. */
const FORCE_REAUTHENTICATION = { prompt: 'login', max_age: '0' } as const

/** For sign-ins, the provider may reuse a session for 30 days; `max_age` makes it return the authentication time. */
const REQUEST_AUTH_TIME = { max_age: String(30 * 24 * 60 * 60) } as const

export async function beginProviderLogin(
  deps: ProviderDeps,
  beginning: ProviderLoginStart,
): Promise<{ readonly secret: string; readonly url: string }> {
  const { provider: name, purpose, returnTo, isRemembered, address } = beginning
  await deps.beginTries.count({ address: clientAddressKey(address) })
  const { userId, sessionId } = await userForPurpose(deps, beginning)
  const provider = await getReadyProvider(deps, name)

  const secret = newTransactionSecret()
  const { state, nonce, codeVerifier } = secretsOf(secret)
  const url = buildAuthorizationUrl(provider.clients[0], {
    redirect_uri: callbackUrl(deps),
    scope: 'openid email profile',
    response_type: 'code',
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(purpose === 'prove' ? FORCE_REAUTHENTICATION : REQUEST_AUTH_TIME),
  })
  const now = deps.clock()
  const transaction = {
    id: transactionId(secret),
    provider: provider.name,
    purpose,
    returnTo: localReturnPath(returnTo, deps.publicUrl),
    isRemembered,
    userId,
    sessionId,
    endsAt: new Date(now.getTime() + TRANSACTION_LIFETIME_MS),
  }
  await deps.database.write(({ db }) => insertTransaction(db, transaction, now))
  return { secret, url: url.href }
}
