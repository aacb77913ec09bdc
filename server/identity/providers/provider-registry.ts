import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { Clock } from '#domain/shared/time.ts'
import { ok, type Result } from '#domain/shared/result.ts'
import type { OidcProvider } from '#server/config.ts'
import { callProvider } from './call-provider.ts'

/** A provider whose addresses and keys are known. */
export type Provider = {
  readonly name: string
  /** Its name as people read it. */
  readonly label: string
  /** As the provider names itself; with the subject it names a person. */
  readonly issuer: string
  /** One for each way to prove who we are that the provider knows, to be tried in turn. */
  readonly clients: readonly [Configuration, ...Configuration[]]
}

/** The providers of the configuration. */
export type ProviderRegistry = {
  readonly list: () => readonly { readonly name: string; readonly label: string }[]
  /** A provider, asked for its addresses if need be; undefined: there is none of this name. */
  readonly find: (name: string) => Promise<Result<Provider, Error> | undefined>
}

/** Whoever signs in waits no longer than this for a provider, in seconds. */
const TIMEOUT_SECONDS = 10

/** Clocks differ by this much at most, in seconds. */
const CLOCK_SKEW_SECONDS = 60

/** What a provider says of itself is asked for anew after this long. */
const CACHE_MS = 60 * 60 * 1000

const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Asks a provider for its addresses. The library checks that it is the issuer we were told. */
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
    // The signature of the ID token is proven even though it came straight from the provider.
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

type CachedProvider = { readonly provider: Provider; readonly askedAtMs: number }

/** Knows the providers; none is asked before somebody wants to sign in with it, so one that is away stops nothing. */
export function createProviderRegistry(configured: readonly OidcProvider[], clock: Clock): ProviderRegistry {
  const known = new Map<string, CachedProvider>()
  const asked = new Map<string, Promise<Result<Provider, Error>>>()

  /** Many who come at once share one question; one that failed is asked again by the next who comes. */
  async function ask(wanted: OidcProvider): Promise<Result<Provider, Error>> {
    const running = asked.get(wanted.name) ?? callProvider(discover(wanted))
    asked.set(wanted.name, running)
    const answer = await running
    if (answer.ok) known.set(wanted.name, { provider: answer.value, askedAtMs: clock().getTime() })
    asked.delete(wanted.name)
    return answer
  }

  return {
    list: () => configured.map(({ name }) => ({ name, label: labelOf(name) })),
    find: async (name) => {
      const wanted = configured.find((one) => one.name === name)
      if (wanted === undefined) return undefined
      const before = known.get(name)
      if (before !== undefined && clock().getTime() - before.askedAtMs < CACHE_MS) return ok(before.provider)
      const answer = await ask(wanted)
      // What was known before is good enough while the provider cannot be asked.
      return answer.ok || before === undefined ? answer : ok(before.provider)
    },
  }
}
