import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { type Answer, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

type Headers = Readonly<Record<string, string>>

/** A deployment: a server, its public URL and the headers added by its proxy. */
type Place = { readonly app: TestApp; readonly origin: string; readonly cookieName: string; readonly proxied: Headers }

let plain: Place
let secure: Place
let made = 0

beforeAll(async () => {
  plain = {
    app: await openTestApp(),
    origin: 'http://localhost:4100',
    cookieName: 'dossier_refresh',
    proxied: {},
  }
  secure = {
    app: await openTestApp({
      config: { publicUrl: new URL('https://records.example'), trustedProxies: ['127.0.0.1'] },
    }),
    origin: 'https://records.example',
    cookieName: '__Host-dossier_refresh',
    // Headers added by a proxy that terminates TLS.
    proxied: {
      host: 'records.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'records.example',
      'x-forwarded-for': '198.51.100.7',
    },
  }
})
afterAll(() => Promise.all([plain.app.close(), secure.app.close()]))

const PLACES = ['plain http', 'https behind a proxy'] as const

const placeNamed = (name: (typeof PLACES)[number]): Place => (name === 'plain http' ? plain : secure)

const ownPage = ({ origin, proxied }: Place): Headers => ({
  ...proxied,
  origin,
  'sec-fetch-site': 'same-origin',
  'x-requested-with': 'dossier',
})

const without = (headers: Headers, ...names: string[]): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

async function anAccount({ app }: Place): Promise<{ readonly id: string; readonly email: string }> {
  const id = `u-${(made += 1)}`
  const email = `${id}@example.org`
  const deps = { clock: app.clock.now, newId: () => id }
  const prepared = await prepareUser(deps, { email, name: id, password: TEST_PASSWORD, roles: ['editor'] })
  await app.database.write((transaction) => storeUser(transaction, prepared))
  return { id, email }
}

const signIn = ({ app }: Place, email: string, client: 'browser' | 'api', headers: Headers): Promise<Answer> =>
  app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client }, headers)

const setCookies = (answer: Answer): string[] => [answer.headers['set-cookie'] ?? []].flat().map(String)

const cookieLine = (place: Place, answer: Answer): string | undefined =>
  setCookies(answer).find((line) => line.startsWith(`${place.cookieName}=`))

const cookieOf = (place: Place, answer: Answer): string => cookieLine(place, answer)?.split(';', 1)[0] ?? ''

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim()

type Session = { readonly id: string; readonly token: string; readonly cookie: string }

async function aBrowser(place: Place): Promise<Session> {
  const { id, email } = await anAccount(place)
  const answer = await signIn(place, email, 'browser', ownPage(place))
  return { id, token: answer.body.token, cookie: cookieOf(place, answer) }
}

async function aProgram(place: Place): Promise<{ readonly token: string; readonly refreshToken: string }> {
  const { email } = await anAccount(place)
  const { body } = await signIn(place, email, 'api', place.proxied)
  return { token: body.token, refreshToken: body.refresh_token }
}

const refresh = ({ app }: Place, headers: Headers, body?: object): Promise<Answer> =>
  app.guest.post('/api/auth/refresh', body, headers)

describe.each(PLACES)('%s', (name) => {
  test('a browser signs in, refreshes and signs out with the correct cookie name and flags', async () => {
    const place = placeNamed(name)
    const { email } = await anAccount(place)
    const signedIn = await signIn(place, email, 'browser', ownPage(place))
    const flags = name === 'plain http' ? 'HttpOnly; SameSite=Strict' : 'HttpOnly; Secure; SameSite=Strict'
    const form = (maxAge: number) => new RegExp(`^${place.cookieName}=r2\\.[^;]+; Max-Age=${maxAge}; Path=/; ${flags}$`)
    expect(cookieLine(place, signedIn)).toMatch(form(2_592_000))
    const cookie = cookieOf(place, signedIn)
    place.app.clock.move(DUPLICATE_WINDOW_MS + 1000)
    const refreshed = await refresh(place, { ...ownPage(place), cookie })
    expect(refreshed.status).toBe(200)
    expect(cookieLine(place, refreshed)).toMatch(form(2_592_000 - 11))
    const headers = { ...ownPage(place), cookie: cookieOf(place, refreshed) }
    const signedOut = await place.app.guest.post('/api/auth/logout', undefined, headers)
    expect(signedOut.status).toBe(204)
    expect(cookieLine(place, signedOut)).toMatch(/=; .*Expires=Thu, 01 Jan 1970/)
    expect(codeOf(await refresh(place, headers))).toBe('401 session-ended')
  })

  test('cookies never have a Domain attribute and are always HttpOnly', async () => {
    const place = placeNamed(name)
    const { email } = await anAccount(place)
    const lines = setCookies(await signIn(place, email, 'browser', ownPage(place)))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      expect(line).not.toMatch(/domain=/i)
      expect(line).toContain('HttpOnly')
      expect(line.includes('Secure')).toBe(name !== 'plain http')
      expect(line.startsWith('__Host-')).toBe(name !== 'plain http')
    }
  })

  test('a cookie of another deployment is ignored', async () => {
    const place = placeNamed(name)
    const { cookie } = await aBrowser(place)
    const value = cookie.slice(cookie.indexOf('=') + 1)
    const otherName = name === 'plain http' ? '__Host-dossier_refresh' : 'dossier_refresh'
    expect(codeOf(await refresh(place, { ...ownPage(place), cookie: `${otherName}=${value}` }))).toBe(
      '401 refresh-invalid',
    )
    expect((await refresh(place, { ...ownPage(place), cookie })).status).toBe(200)
  })

  test('an API client signs in and refreshes with body tokens and without cookies', async () => {
    const place = placeNamed(name)
    const { email } = await anAccount(place)
    const signedIn = await signIn(place, email, 'api', place.proxied)
    const refreshed = await refresh(place, place.proxied, { refresh_token: signedIn.body.refresh_token })
    expect([signedIn.status, refreshed.status]).toEqual([200, 200])
    expect([...setCookies(signedIn), ...setCookies(refreshed)]).toEqual([])
  })

  test('the Origin header determines whether cookie mode is accepted', async () => {
    const place = placeNamed(name)
    const own = ownPage(place)
    const scheme = name === 'plain http' ? 'https:' : 'http:'
    const otherScheme = place.origin.replace(/^https?:/, scheme)
    const { cookie } = await aBrowser(place)
    const refused: [string, Headers][] = [
      ['no mark', without(own, 'x-requested-with')],
      ['another mark', { ...own, 'x-requested-with': 'XMLHttpRequest' }],
      ['no word of where from', without(own, 'origin', 'sec-fetch-site')],
      ['foreign origin', { ...own, origin: 'https://evil.example' }],
      ['foreign origin alone', { ...without(own, 'sec-fetch-site'), origin: 'https://evil.example' }],
      ['origin null', { ...own, origin: 'null' }],
      ['empty origin', { ...own, origin: '' }],
      ['the other scheme', { ...own, origin: otherScheme }],
      ['another port', { ...own, origin: `${place.origin.replace(/:\d+$/, '')}:8443` }],
      ['a name that begins alike', { ...own, origin: `${place.origin}.evil.example` }],
      ['a name with ours as its user', { ...own, origin: `${place.origin}@evil.example` }],
      ['from another site', { ...own, 'sec-fetch-site': 'cross-site' }],
      ['from a neighbour on the same site', { ...own, 'sec-fetch-site': 'same-site' }],
      ['typed by hand', { ...own, 'sec-fetch-site': 'none' }],
      ['an unknown value', { ...own, 'sec-fetch-site': 'who-knows' }],
      ['from another site, without an origin', { ...without(own, 'origin'), 'sec-fetch-site': 'cross-site' }],
    ]
    for (const [what, headers] of refused) {
      const answer = await refresh(place, { ...headers, cookie })
      expect(`${what}: ${codeOf(answer)}`).toBe(`${what}: 403 origin-refused`)
      expect(setCookies(answer)).toEqual([])
    }
    // Old browsers send only one of the two headers, which is sufficient.
    expect((await refresh(place, { ...without(own, 'sec-fetch-site'), cookie })).status).toBe(200)
    expect((await refresh(place, { ...without(own, 'origin'), cookie })).status).toBe(200)
  })

  test('cookies are accepted only from pages, and body tokens only from API clients', async () => {
    const place = placeNamed(name)
    const own = ownPage(place)
    const expected = {
      'no token, from a page': '401 refresh-invalid',
      'no token, from a program': '401 refresh-invalid',
      'cookie, from a page': '200',
      'cookie, from a program': '403 origin-refused',
      'body of a program, from a page': '403 origin-refused',
      'body of a program, from a program': '200',
      'body with the cookie’s value, from a page': '403 origin-refused',
      'body with the cookie’s value, from a program': '401 refresh-invalid',
      'cookie with the program’s value, from a page': '401 refresh-invalid',
      'cookie and body, from a page': '400 invalid-request',
      'cookie and body, from a program': '400 invalid-request',
    }
    const { cookie } = await aBrowser(place)
    const { refreshToken } = await aProgram(place)
    const cookieValue = cookie.slice(cookie.indexOf('=') + 1)
    const body = { refresh_token: refreshToken }
    const ask = async (page: boolean, cookieSent?: string, bodySent?: object): Promise<string> => {
      const headers = page ? own : place.proxied
      return codeOf(await refresh(place, { ...headers, ...(cookieSent && { cookie: cookieSent }) }, bodySent))
    }
    // Accepted requests are sent last, because they rotate the tokens.
    const said = {
      'no token, from a page': await ask(true),
      'no token, from a program': await ask(false),
      'cookie, from a program': await ask(false, cookie),
      'body of a program, from a page': await ask(true, undefined, body),
      'body with the cookie’s value, from a page': await ask(true, undefined, { refresh_token: cookieValue }),
      'body with the cookie’s value, from a program': await ask(false, undefined, { refresh_token: cookieValue }),
      'cookie with the program’s value, from a page': await ask(true, `${place.cookieName}=${refreshToken}`),
      'cookie and body, from a page': await ask(true, cookie, body),
      'cookie and body, from a program': await ask(false, cookie, body),
      'cookie, from a page': await ask(true, cookie),
      'body of a program, from a program': await ask(false, undefined, body),
    }
    expect(said).toEqual(expected)
  })

  test("a form on another site can't post, because only JSON is accepted", async () => {
    const place = placeNamed(name)
    const { cookie } = await aBrowser(place)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const answer = await place.app.guest.request('POST', '/api/auth/refresh', {
        raw: 'a=b',
        headers: { ...ownPage(place), cookie, 'content-type': type },
      })
      expect(codeOf(answer)).toBe('415 wrong-content-type')
    }
  })

  test('a page that shows one user never continues as another user', async () => {
    const place = placeNamed(name)
    const [ada, bob] = [await aBrowser(place), await aBrowser(place)]
    const own = ownPage(place)
    // Bob has signed in in another tab: the cookie is his, but this page still shows Ada's data.
    const refreshed = await refresh(place, { ...own, cookie: bob.cookie, 'x-dossier-user': ada.id })
    expect([codeOf(refreshed), setCookies(refreshed)]).toEqual(['409 user-changed', []])
    const asBob = place.app.withToken(bob.token)
    const headers = (id: string): Headers => ({ ...own, 'x-dossier-user': id })
    expect(codeOf(await asBob.get('/api/auth/user', headers(ada.id)))).toBe('409 user-changed')
    expect(codeOf(await asBob.get('/api/collections', headers(ada.id)))).toBe('409 user-changed')
    expect(codeOf(await asBob.post('/api/collections', { name: 'x' }, headers(ada.id)))).toBe('409 user-changed')
    expect((await asBob.get('/api/auth/user', headers(bob.id))).status).toBe(200)
    expect((await refresh(place, { ...headers(bob.id), cookie: bob.cookie })).status).toBe(200)
  })
})

describe('behind a proxy', () => {
  test('the client address is accepted only from the proxy', async () => {
    const addressOf = async (place: Place, headers: Headers, remoteAddress: string): Promise<string | undefined> => {
      const { email } = await anAccount(place)
      const answer = await place.app.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress,
        headers: { ...headers },
        payload: { email, password: TEST_PASSWORD, client: 'api' },
      })
      const row = await place.app.database.read
        .selectFrom('sessions')
        .select('address')
        .where('id', '=', answer.json().session_id)
        .executeTakeFirst()
      return row?.address
    }
    expect(await addressOf(secure, secure.proxied, '127.0.0.1')).toBe('198.51.100.7')
    expect(await addressOf(secure, secure.proxied, '203.0.113.9')).toBe('203.0.113.9')
    // The proxy keeps the header sent by the client and appends its own value.
    const spoofed = { ...secure.proxied, 'x-forwarded-for': '10.9.9.9, 198.51.100.8' }
    expect(await addressOf(secure, spoofed, '127.0.0.1')).toBe('198.51.100.8')
    expect(await addressOf(plain, secure.proxied, '127.0.0.1')).toBe('127.0.0.1')
  })

  test("a forwarded header with http or another host doesn't change cookies", async () => {
    const { email } = await anAccount(secure)
    const lying = { ...ownPage(secure), 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    const answer = await signIn(secure, email, 'browser', lying)
    expect(cookieLine(secure, answer)).toMatch(/^__Host-.*; Secure;/)
    const claimsHttps = { ...ownPage(plain), 'x-forwarded-proto': 'https' }
    const other = await signIn(plain, (await anAccount(plain)).email, 'browser', claimsHttps)
    expect(cookieLine(plain, other)).toMatch(/^dossier_refresh=/)
    expect(cookieLine(plain, other)).not.toContain('Secure')
  })

  test('a request with a forged forwarded host is rejected as cross-site', async () => {
    const { cookie } = await aBrowser(secure)
    const headers = { ...ownPage(secure), cookie, origin: 'https://evil.example' }
    expect(codeOf(await refresh(secure, { ...headers, 'x-forwarded-host': 'records.example' }))).toBe(
      '403 origin-refused',
    )
  })
})
