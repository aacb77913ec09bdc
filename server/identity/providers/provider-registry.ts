import {
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  allowInsecureRequests,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { Clock } from '#domain/shared/time.ts'
import { type Result, ok } from '#domain/shared/result.ts'
import type { OidcProvider } from '#server/platform/config/config.ts'
import { callProvider } from './provider-errors.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { LinkedProvider } from '#server/identity/factors/factor-deps.ts'
import { listIdentities } from './store.ts'

export type Provider = {
  readonly name: string
  readonly label: string
  readonly issuer: string
  /** One configuration per client authentication method that the provider supports, tried in order. */
  readonly clients: readonly [Configuration, ...Configuration[]]
}

export type ProviderRegistry = {
  readonly list: () => readonly { readonly name: string; readonly label: string }[]
  readonly find: (name: string) => Promise<Result<Provider, Error> | undefined>
}

/** Timeout for provider requests, in seconds. */
const TIMEOUT_SECONDS = 10

/** Tolerated clock difference, in seconds. */
const CLOCK_SKEW_SECONDS = 60

/** Refetch interval for provider metadata. */
const CACHE_MS = 60 * 60 * 1000

const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Fetches a provider's metadata. The library verifies the issuer. */
async function discover({ name, issuer, clientId, clientSecret }: OidcProvider): Promise<Provider> {
  const isPlain = issuer.protocol === 'http:'
  const found = await discovery(issuer, clientId, undefined, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: isPlain ? [allowInsecureRequests] : [],
  })
  const server = found.serverMetadata()
  const secret = clientSecret.reveal()
  const clientBy = (authentication: ReturnType<typeof ClientSecretBasic>): Configuration => {
    const metadata = { client_secret: secret, [clockTolerance]: CLOCK_SKEW_SECONDS }
    const client = new Configuration(server, clientId, metadata, authentication)
    client.timeout = TIMEOUT_SECONDS
    // Verifies the ID token's signature even though the token came directly from the provider.
    enableNonRepudiationChecks(client)
    if (isPlain) allowInsecureRequests(client)
    return client
  }
  const basic = clientBy(ClientSecretBasic(secret))
  const post = clientBy(ClientSecretPost(secret))
  const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const inBody = known.includes('client_secret_post')
  const clients: Provider['clients'] = known.includes('client_secret_basic')
    ? [basic, ...(inBody ? [post] : [])]
    : [post]
  return { name, label: labelOf(name), issuer: server.issuer, clients }
}

type CachedProvider = { readonly provider: Provider; readonly requestedAtMs: number }

/** The configured providers. Each is contacted on first use, so that an unreachable provider doesn't delay startup. */
export function createProviderRegistry(configured: readonly OidcProvider[], clock: Clock): ProviderRegistry {
  const known = new Map<string, CachedProvider>()
  const requested = new Map<string, Promise<Result<Provider, Error>>>()

  /** Concurrent calls share one request; a failed request is retried on the next call. */
  async function ask(wanted: OidcProvider): Promise<Result<Provider, Error>> {
    const running = requested.get(wanted.name) ?? callProvider(discover(wanted))
    requested.set(wanted.name, running)
    const answer = await running
    if (answer.ok) known.set(wanted.name, { provider: answer.value, requestedAtMs: clock().getTime() })
    requested.delete(wanted.name)
    return answer
  }

  return {
    list: () => configured.map(({ name }) => ({ name, label: labelOf(name) })),
    find: async (name) => {
      const wanted = configured.find((one) => one.name === name)
      if (wanted === undefined) return undefined
      const before = known.get(name)
      if (before !== undefined && clock().getTime() - before.requestedAtMs < CACHE_MS) return ok(before.provider)
      const answer = await ask(wanted)
      // Uses cached metadata while the provider is unreachable.
      return answer.ok || before === undefined ? answer : ok(before.provider)
    },
  }
}

/** The configured providers that a user has linked; a provider removed from the configuration no longer counts. */
export const createLinkedProviderFinder =
  (providers: ProviderRegistry) =>
  async (db: Reader, userId: UserId): Promise<LinkedProvider[]> => {
    const linked = new Set((await listIdentities(db, userId)).map(({ provider }) => provider))
    return providers.list().filter(({ name }) => linked.has(name))
  }
