import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client'
import type { Provider } from './open-providers.ts'
import { isClientRefused } from './provider-faults.ts'
import type { TransactionSecrets } from './transaction-secrets.ts'

/** Who a provider says somebody is. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  /** Their mail address if the provider has proven it; asked for only when it matters. */
  readonly verifiedEmail: () => Promise<string | undefined>
}

type Claims = { readonly [claim: string]: unknown }

/** Only the word of the provider that it has proven the address counts, and only as a truth value. */
function verifiedEmailOf(claims: Claims): string | undefined {
  const { email, email_verified: isVerified } = claims
  return typeof email === 'string' && isVerified === true ? email : undefined
}

/**
 * Exchanges the code for the ID token. The library checks issuer, audience, signature, age and nonce of the token, and
 * state and issuer of the answer.
 */
export async function fetchIdentity(provider: Provider, answer: URL, secrets: TransactionSecrets): Promise<Identity> {
  const [client, tokens] = await exchange(provider.clients, answer, secrets)
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('The provider gave no ID token.')
  const verifiedEmail = async (): Promise<string | undefined> => {
    const inToken = verifiedEmailOf(claims)
    if (inToken !== undefined || client.serverMetadata().userinfo_endpoint === undefined) return inToken
    return verifiedEmailOf(await fetchUserInfo(client, tokens.access_token, claims.sub))
  }
  return { issuer: claims.iss, subject: claims.sub, verifiedEmail }
}

type Exchanged = readonly [Configuration, Awaited<ReturnType<typeof authorizationCodeGrant>>]

async function exchange(
  [client, ...others]: Provider['clients'],
  answer: URL,
  secrets: TransactionSecrets,
): Promise<Exchanged> {
  const checks = {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.codeVerifier,
    idTokenExpected: true,
  }
  try {
    return [client, await authorizationCodeGrant(client, answer, checks)]
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !isClientRefused(error)) throw error
    return exchange([next, ...rest], answer, secrets)
  }
}
