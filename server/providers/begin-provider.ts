import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client'
import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { requireRecentProof } from '#server/sessions/require-proof.ts'
import { addressKey } from '#server/http/address-key.ts'
import type { Provider } from './open-providers.ts'
import { describeProviderFault, providerAway } from './provider-faults.ts'
import { provingUser } from './prove-by-provider.ts'
import type { ProviderNeeds } from './provider-needs.ts'
import { insertTransaction, type ProviderPurpose } from './store.ts'
import { TRANSACTION_LIFETIME_MS } from './transaction-cookie.ts'
import { newTransactionSecret, secretsOf, transactionId } from './transaction-secrets.ts'

/** How a sign-in with a provider begins. */
export type ProviderBeginning = {
  readonly provider: string
  readonly purpose: ProviderPurpose
  readonly returnTo: string | undefined
  readonly isRemembered: boolean
  readonly actor: Actor
  readonly address: string
}

/** Where providers send people back to. */
const callbackUrl = ({ publicUrl, session }: ProviderNeeds): string => new URL(session.routes.callback, publicUrl).href

/** The provider of this name, ready to be used; throws the sentence for one that is unknown or away. */
export async function reachProvider({ providers, log }: ProviderNeeds, name: string): Promise<Provider> {
  const found = await providers.find(name)
  if (found === undefined) throw new Problem('not-found', 'There is no identity provider of this name.')
  if (found.ok) return found.value
  log.warn({ provider: name, fault: describeProviderFault(found.fault) }, 'an identity provider cannot be reached')
  throw providerAway(providers.list().find((one) => one.name === name)?.label ?? name)
}

/** Only an address within this workspace is remembered. */
function ownPath(returnTo: string | undefined, publicUrl: URL): string | null {
  if (returnTo?.startsWith('/') !== true) return null
  const url = URL.parse(returnTo, publicUrl)
  return url?.origin === publicUrl.origin ? `${url.pathname}${url.search}${url.hash}` : null
}

type Who = { readonly userId: UserId | null; readonly sessionId: SessionId | null }

/** Who links: whoever is signed in and proved a short while ago that it is them. */
async function linkingUser(needs: ProviderNeeds, actor: Actor): Promise<Who> {
  if (actor.type !== 'user') throw new Problem('token-missing', 'Sign in to link a provider to your account.')
  await requireRecentProof(needs, actor)
  return actor
}

function whoBegins(needs: ProviderNeeds, { purpose, actor, provider }: ProviderBeginning): Promise<Who> | Who {
  switch (purpose) {
    case 'sign-in':
      return { userId: null, sessionId: null }
    case 'link':
      return linkingUser(needs, actor)
    case 'prove':
      return provingUser(needs, actor, provider)
  }
}

/** To prove anew who one is, the provider has to ask its visitor, whoever it believes to know still. */
const ASK_ANEW = { prompt: 'login', max_age: '0' } as const

/** Otherwise it may know them still, for 30 days at most; by being asked this it tells when it last asked them. */
const SAY_WHEN = { max_age: String(30 * 24 * 60 * 60) } as const

/** Begins: the secret for this browser's cookie, and the address at the provider to go to. */
export async function beginProvider(
  needs: ProviderNeeds,
  beginning: ProviderBeginning,
): Promise<{ readonly secret: string; readonly url: string }> {
  const { provider: name, purpose, returnTo, isRemembered, address } = beginning
  await needs.beginTries.count({ address: addressKey(address) })
  const { userId, sessionId } = await whoBegins(needs, beginning)
  const provider = await reachProvider(needs, name)

  const secret = newTransactionSecret()
  const { state, nonce, codeVerifier } = secretsOf(secret)
  const url = buildAuthorizationUrl(provider.clients[0], {
    redirect_uri: callbackUrl(needs),
    scope: 'openid email profile',
    response_type: 'code',
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(purpose === 'prove' ? ASK_ANEW : SAY_WHEN),
  })
  const now = needs.clock()
  const transaction = {
    id: transactionId(secret),
    provider: provider.name,
    purpose,
    returnTo: ownPath(returnTo, needs.publicUrl),
    isRemembered,
    userId,
    sessionId,
    endsAt: new Date(now.getTime() + TRANSACTION_LIFETIME_MS),
  }
  await needs.database.write(({ db }) => insertTransaction(db, transaction, now))
  return { secret, url: url.href }
}
