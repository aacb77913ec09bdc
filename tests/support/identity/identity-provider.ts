import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AccountClaims, Provider } from 'oidc-provider'
import type { OidcProvider } from '#server/platform/config/config.ts'
import { secret } from '#server/platform/config/setting-readers.ts'

/** A user account at the provider. */
export type ProviderPerson = { readonly email: string; readonly emailVerified: boolean }

export type TestIdentityProvider = {
  readonly settings: OidcProvider
  /** Signs in at the provider, consents and returns the callback URL. */
  readonly visit: (url: string, subject: string) => Promise<string>
  /** Denies consent at the provider. */
  readonly refuse: (url: string) => Promise<string>
  readonly addPerson: (subject: string, person: ProviderPerson) => void
  /** Stops the provider, or restarts it at the same URL. */
  readonly goAway: () => Promise<void>
  readonly comeBack: () => Promise<void>
}

const CLIENT_SECRET = 'a secret that only the two know'

async function listenAt(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function endServer(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

/** Starts the provider; `callback` is the allowed redirect URL, `secretIn` is where the client secret is expected. */
export async function startIdentityProvider(
  name: string,
  callback: string,
  secretIn: 'client_secret_basic' | 'client_secret_post' = 'client_secret_basic',
): Promise<TestIdentityProvider> {
  const people = new Map<string, ProviderPerson>()
  const server = createServer()
  const port = await listenAt(server, 0)
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'dossier',
        client_secret: CLIENT_SECRET,
        redirect_uris: [callback],
        token_endpoint_auth_method: secretIn,
      },
    ],
    // ID tokens are valid for longer than one step of the test clock.
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 7200 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, subject) => ({ accountId: subject, claims: () => claimsOf(subject, people.get(subject)) }),
  })
  // Cookies don't need to be secure, because they never leave this machine.
  provider.proxy = false
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))

  return {
    settings: { name, issuer: new URL(issuer), clientId: 'dossier', clientSecret: secret(CLIENT_SECRET) },
    visit: (url, subject) => followForms(url, callback, { login: subject, password: 'any' }),
    refuse: (url) => abortThere(url, callback),
    addPerson: (subject, person) => void people.set(subject, person),
    goAway: () => endServer(server),
    comeBack: async () => void (await listenAt(server, port)),
  }
}

function claimsOf(subject: string, person: ProviderPerson | undefined): AccountClaims {
  if (person === undefined) return { sub: subject }
  return { sub: subject, name: subject, email: person.email, email_verified: person.emailVerified }
}

/** An HTTP client that stores cookies and doesn't follow redirects away from the provider. */
function browserFor(callback: string) {
  const cookies = new Map<string, string>()
  const ask = async (url: string, form?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, connection: 'close' },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, cookieName = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(cookieName)
      else cookies.set(cookieName, value)
    }
    return answer
  }
  /** Follows redirects up to the next page or the callback URL. */
  const go = async (
    start: string,
    form?: URLSearchParams,
  ): Promise<{ readonly url: string; readonly page?: string }> => {
    let url = start
    let answer = await ask(url, form)
    for (let hop = 0; hop < 10; hop += 1) {
      const location = answer.headers.get('location')
      if (location === null) return { url, page: await answer.text() }
      url = new URL(location, url).href
      if (url.startsWith(callback)) return { url }
      answer = await ask(url)
    }
    throw new Error('The provider sends its visitor in circles.')
  }
  return go
}

async function followForms(start: string, callback: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const go = browserFor(callback)
  let at = await go(start)
  for (let form = 0; form < 4 && at.page !== undefined; form += 1) {
    const action = /<form[^>]*action="([^"]+)"/.exec(at.page)?.[1]
    if (action === undefined) throw new Error(`The provider shows no form but: ${at.page.slice(0, 400)}`)
    const prompt = /name="prompt" value="([^"]+)"/.exec(at.page)?.[1] ?? ''
    at = await go(new URL(action, at.url).href, new URLSearchParams({ prompt, ...fields }))
  }
  return at.url
}

async function abortThere(start: string, callback: string): Promise<string> {
  const go = browserFor(callback)
  const first = await go(start)
  const abort = /href="([^"]+\/abort)"/.exec(first.page ?? '')?.[1] ?? ''
  return (await go(new URL(abort, first.url).href)).url
}
