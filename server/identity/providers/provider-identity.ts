import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client'
import { ok, type Result } from '#domain/shared/result.ts'
import { callProvider, isClientAuthRejected } from './provider-errors.ts'
import type { Provider } from './provider-registry.ts'
import type { TransactionSecrets } from './transaction-cookie.ts'

export type Identity = {
  readonly issuer: string
  readonly subject: string
  /** The user's authentication time, if the provider reports it. */
  readonly authenticatedAtSeconds: number | undefined
  /** The token's issue time, according to the provider's clock. */
  readonly issuedAtSeconds: number
  /** Verified email address; requested only when needed. */
  readonly verifiedEmail: () => Promise<Result<string | undefined, Error>>
}

type Claims = { readonly [claim: string]: unknown }

/** Only a Boolean `email_verified` counts. */
function verifiedEmailOf(claims: Claims): string | undefined {
  const { email, email_verified: isVerified } = claims
  return typeof email === 'string' && isVerified === true ? email : undefined
}

/** Exchanges the code for an ID token. The library verifies the token and the response's state and issuer. */
export async function fetchIdentity(
  { clients }: Provider,
  answer: URL,
  secrets: TransactionSecrets,
): Promise<Result<Identity, Error>> {
  const [client, ...others] = clients
  const first = await exchange(client, answer, secrets)
  const [other] = others
  // The provider rejected the client secret in the header but may accept it in the body. The code is still valid.
  if (other === undefined || first.ok || !isClientAuthRejected(first.fault)) return first
  return exchange(other, answer, secrets)
}

function exchange(client: Configuration, answer: URL, secrets: TransactionSecrets): Promise<Result<Identity, Error>> {
  const checks = {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.codeVerifier,
    idTokenExpected: true,
  }
  return callProvider(authorizationCodeGrant(client, answer, checks).then((tokens) => identityOf(client, tokens)))
}

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>

function identityOf(client: Configuration, tokens: Tokens): Identity {
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('The provider returned no ID token.')
  const { iss, sub, iat, auth_time: authTime } = claims
  const verifiedEmail = async (): Promise<Result<string | undefined, Error>> => {
    const inToken = verifiedEmailOf(claims)
    if (inToken !== undefined || client.serverMetadata().userinfo_endpoint === undefined) return ok(inToken)
    return callProvider(fetchUserInfo(client, tokens.access_token, sub).then(verifiedEmailOf))
  }
  return {
    issuer: iss,
    subject: sub,
    authenticatedAtSeconds: typeof authTime === 'number' ? authTime : undefined,
    issuedAtSeconds: iat,
    verifiedEmail,
  }
}
