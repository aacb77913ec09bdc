import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload } from 'jose'
import type { OidcProvider } from '#server/platform/config/config.ts'
import { secret } from '#server/platform/config/setting-readers.ts'

/** An identity provider that can return any ID token, including invalid ones. */
export type ForgingProvider = {
  readonly settings: OidcProvider
  readonly issuer: string
  /** The provider's private signing key; it publishes the public key. */
  readonly key: CryptoKey
  /** Sets the ID token for the next code exchange. */
  readonly answerWith: (idToken: string) => void
  /** Valid ID token claims for this authorization request. */
  readonly rightClaims: (url: string) => JWTPayload
  readonly stop: () => Promise<void>
}

export const FORGING_SECRET = 'a client secret of at least 32 bytes, for HS256'

const sendJson = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export async function startForgingProvider(name: string): Promise<ForgingProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  let idToken = ''
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host ?? ''}`
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return sendJson(response, {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      case '/jwks':
        return sendJson(response, { keys: [jwk] })
      default:
        return sendJson(response, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const issuer = `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    settings: { name, issuer: new URL(issuer), clientId: 'dossier', clientSecret: secret(FORGING_SECRET) },
    issuer,
    key: privateKey,
    answerWith: (next) => {
      idToken = next
    },
    rightClaims: (url) => {
      const nowSeconds = Math.floor(Date.now() / 1000)
      const nonce = new URL(url).searchParams.get('nonce')
      return { iss: issuer, aud: 'dossier', sub: 'forged', nonce, iat: nowSeconds, exp: nowSeconds + 300 }
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
