import { type BrowserContext, expect, type Page } from '@playwright/test'
import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  accountOf,
  ADA,
  asProgram,
  fillLogin,
  GRACE,
  inviteGrace,
  makeRecord,
  noteRequests,
  signIn,
  signOut,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'

test.use({ serverSettings: { env: { ...WITH_ADA.env, ...WITH_MOVABLE_CLOCK } } })

const REFRESH = '/api/auth/refresh'

/** Opens another tab at the same URL. */
async function anotherTab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

/** Requests that the sign-in page sends before sign-in. */
const ASKED_AT_SIGN_IN = ['/api/setup', '/api/auth/providers', '/api/auth/passkey/options']

/** Events that browsers dispatch when a page becomes visible. */
const wake = (page: Page, event: string) =>
  page.evaluate((name) => {
    document.dispatchEvent(new Event(name, { bubbles: true }))
    window.dispatchEvent(new Event(name))
  }, event)

/** Returns the time at which the tab received its next broadcast message; all tabs use the same clock. */
async function noteNews(page: Page): Promise<() => Promise<number>> {
  const moment = await page.evaluateHandle(() => {
    const channel = new BroadcastChannel('dossier.session')
    const reported = new Promise<number>((resolve) => channel.addEventListener('message', () => resolve(Date.now())))
    return { reported }
  })
  return () => moment.evaluate(({ reported }) => reported)
}

/**
 * Returns the time at which an open page shows the sign-in form, measured in the page, because polling from the test is
 * imprecise on a busy machine.
 */
async function noteLeaving(page: Page): Promise<() => Promise<number>> {
  const moment = await page.evaluateHandle(() => {
    const left = new Promise<number>((resolve) => {
      const look = setInterval(() => {
        if (location.pathname !== '/login') return
        clearInterval(look)
        resolve(Date.now())
      }, 10)
    })
    return { left }
  })
  return () => moment.evaluate(({ left }) => left)
}

const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' })

/** The HttpOnly session cookie. */
const refreshToken = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name.endsWith('dossier_refresh'))?.value ?? ''

/** The rotation count encoded in a refresh token. */
const generation = (token: string) => Number(token.split('.')[2])

test('ten tabs reloaded at the same time remain signed in with a single token rotation', async ({
  context,
  page,
  server,
}) => {
  await signIn(page, ADA)
  const tabs = [page]
  for (let nth = 1; nth < 10; nth += 1) tabs.push(await anotherTab(context, '/'))
  for (const tab of tabs) await expect(accountOf(tab, ADA)).toBeVisible()
  const { ask } = await asProgram(server.url, ADA)
  const browserSessions = async () => {
    const { items } = await ask('GET', '/api/account/sessions')
    // Response format declared in `api/account.ts`.
    return (items as readonly { readonly kind: string }[]).filter(({ kind }) => kind === 'browser').length
  }
  const sessionsBefore = await browserSessions()
  const before = await refreshToken(context)
  const requested: string[] = []
  context.on('request', (request) => requested.push(new URL(request.url()).pathname))
  // Advances the clock until the first tab must rotate the refresh token.
  clockOf(server).goOn()
  const beganAtMs = Date.now()
  await Promise.all(tabs.map((tab) => tab.reload()))
  for (const tab of tabs) await expect(accountOf(tab, ADA)).toBeVisible()
  const windowsBegun = 1 + Math.floor((Date.now() - beganAtMs) / DUPLICATE_WINDOW_MS)
  const after = await refreshToken(context)
  expect(after.split('.')[1], 'the session').toBe(before.split('.')[1])
  expect(requested.filter((path) => path === REFRESH)).toHaveLength(10)
  const rotations = generation(after) - generation(before)
  expect(rotations, 'one rotation per window').toBeGreaterThanOrEqual(1)
  expect(rotations, 'one rotation per window').toBeLessThanOrEqual(windowsBegun)
  expect(await browserSessions()).toBe(sessionsBefore)
})

test('a tab that holds the refresh lock delays others by only a few seconds', async ({ context, page }) => {
  await signIn(page, ADA)
  const stuck = await anotherTab(context, '/')
  await expect(accountOf(stuck, ADA)).toBeVisible()
  await stuck.evaluate(() => void navigator.locks.request('dossier.refresh', () => new Promise(() => undefined)))
  await page.reload()
  await expect(accountOf(page, ADA)).toBeVisible()
})

test('signing out in one tab signs out the other within a second and drops pending changes', async ({
  context,
  page,
  server,
}) => {
  const record = await makeRecord(server.url, 'parting')
  await signIn(page, ADA)
  const other = await anotherTab(context, record.page)
  await expect(titleOf(other)).toHaveValue('As it was')
  await other.route('**/api/collections/parting/records?**', () => new Promise(() => undefined))
  const cut = other.waitForEvent('requestfailed', (request) => request.url().includes('/parting/records'))
  const requested = other.waitForRequest((request) => request.url().includes('/parting/records?'))
  await other.getByRole('navigation').getByRole('link', { name: 'parting' }).first().click()
  await requested
  const reported = await noteNews(page)
  const left = await noteLeaving(other)
  await signOut(page)
  await expect(other).toHaveURL(/\/login/)
  expect((await left()) - (await reported())).toBeLessThan(1000)
  await cut
  await expect(other.getByText('You signed out in another tab.')).toBeVisible()
  await other.goBack()
  await expect(other).toHaveURL(/\/login/)
  await expect(other.getByText('As it was')).toBeHidden()
})

test('signing in from one tab signs in the others, each at its requested page', async ({ context, page, server }) => {
  const record = await makeRecord(server.url, 'arrival')
  const list = '/collections/arrival?sort=-title&search=as%20it#here'
  const other = await anotherTab(context, record.page)
  await page.goto(list)
  await expect(page).toHaveURL(/\/login\?return=/)
  await expect(other).toHaveURL(/\/login\?return=/)
  await fillLogin(page, ADA)
  await expect(titleOf(other)).toHaveValue('As it was')
  await expect(accountOf(page, ADA)).toBeVisible()
  const address = () => {
    const { pathname, searchParams, hash } = new URL(page.url())
    return [pathname, Object.fromEntries(searchParams), hash]
  }
  await expect.poll(address).toEqual(['/collections/arrival', { sort: '-title', search: 'as it' }, '#here'])
  await expect(other).toHaveURL(server.url + record.page)
})

test('a sign-in redirects to the requested page only once, and the next sign-in redirects home', async ({
  page,
  server,
}) => {
  const record = await makeRecord(server.url, 'once')
  await page.goto(record.page)
  await fillLogin(page, ADA)
  await expect(titleOf(page)).toHaveValue('As it was')
  await signOut(page)
  await page.goto('/login')
  await fillLogin(page, ADA)
  await expect(page).toHaveURL(new RegExp(`^${server.url}/$`))
})

for (const said of [
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '/\\elsewhere.example/',
  '/\t/elsewhere.example',
  '/..//elsewhere.example',
  'javascript:alert(1)',
  '/LOGOUT',
  '/login?return=//elsewhere.example',
]) {
  test(`signing in never redirects to ${said}`, async ({ page, server }) => {
    const outside: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) outside.push(request.url())
    })
    await page.goto(`/login?return=${encodeURIComponent(said)}`)
    await fillLogin(page, ADA)
    await expect(accountOf(page, ADA)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`^${server.url}/$`))
    expect(outside).toEqual([])
  })
}

test('signing in as another user in another tab stops this tab: nothing is saved under their name', async ({
  context,
  page,
  server,
}) => {
  await inviteGrace(server)
  const record = await makeRecord(server.url, 'switch')
  await signIn(page, ADA)
  await page.goto(record.page)
  await expect(titleOf(page)).toHaveValue('As it was')
  const { all } = noteRequests(page)
  // Ada's edit can't be saved yet.
  await page.route(`**${record.api}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await titleOf(page).fill('Written by Ada')
  await page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH')
  // Grace signs in in the same browser, but other tabs aren't notified.
  const login = { email: GRACE.email, password: GRACE.password }
  expect((await context.request.post(`${server.url}/api/auth/login`, { data: login })).status()).toBe(200)
  await page.unroute(`**${record.api}`)

  await expect(accountOf(page, GRACE)).toBeVisible({ timeout: 20_000 })
  await expect(titleOf(page)).toHaveValue('As it was')
  const written = all.filter((request) => request.method() === 'PATCH')
  for (const request of written) {
    const bearer = request.headers()['authorization']?.split('.')[1] ?? ''
    // Payload format of the server's access tokens.
    const { sub } = JSON.parse(Buffer.from(bearer, 'base64url').toString()) as { readonly sub: string }
    expect(request.headers()['x-dossier-user']).toBe(sub)
  }
  const { ask } = await asProgram(server.url, ADA)
  expect(await ask('GET', record.api)).toMatchObject({ version: 1, values: { title: 'As it was' } })
})

test('switching users in one tab switches the other and leaves no data behind', async ({ context, page, server }) => {
  await inviteGrace(server)
  await signIn(page, ADA)
  const other = await anotherTab(context, '/')
  await expect(accountOf(other, ADA)).toBeVisible()
  await signOut(page)
  await page.goto('/login')
  await fillLogin(page, GRACE)
  await expect(accountOf(other, GRACE)).toBeVisible()
  await expect(other.getByText(ADA.email)).toBeHidden()
})

test('an ended session blocks navigation, shows the reason, and returns to the page after sign-in', async ({
  context,
  page,
  server,
}) => {
  const record = await makeRecord(server.url, 'dying')
  await page.clock.install()
  await signIn(page, ADA)
  const other = await anotherTab(context, '/')
  await expect(accountOf(other, ADA)).toBeVisible()
  // Waits for pending requests, which would otherwise detect the ended session first.
  await page.waitForLoadState('networkidle')
  await (await asProgram(server.url, ADA)).endAllSessions()
  const before = noteRequests(page)
  const isAnswered = (path: string) => page.waitForResponse((answer) => new URL(answer.url()).pathname === path)
  const answered = Promise.all(['/api/setup', '/api/auth/providers'].map(isAnswered))
  await page.getByRole('navigation').getByRole('link', { name: 'dying' }).dispatchEvent('click')
  await expect(page).toHaveURL(/\/login\?return=%2Fcollections%2Fdying/)
  await answered
  await expect(page.getByText(SESSION_ERRORS.bothExpired)).toBeVisible()
  // The only unauthenticated requests are those of the sign-in page.
  for (const request of before.all) await request.response()
  const anonymous = before.all.filter((request) => request.headers()['authorization'] === undefined)
  const requested = new Set(anonymous.map((request) => new URL(request.url()).pathname))
  for (const path of requested) expect([REFRESH, ...ASKED_AT_SIGN_IN]).toContain(path)
  const after = noteRequests(page)
  await page.clock.fastForward(11 * 60_000)
  for (const event of ['visibilitychange', 'focus', 'pageshow', 'online']) await wake(page, event)
  // The other tab detects the ended session with its next request.
  await wake(other, 'visibilitychange')
  await expect(other.getByText(SESSION_ERRORS.bothExpired)).toBeVisible()
  expect(after.all.map((request) => request.url())).toEqual([])
  await other.close()
  await fillLogin(page, ADA)
  await expect(page).toHaveURL(/\/collections\/dying$/)
  await expect(page.getByText('As it was')).toBeVisible()
  expect(record.page).toContain('dying')
})

test('a draft survives an ended session and is saved after sign-in', async ({ page, server }) => {
  const record = await makeRecord(server.url, 'unsaved')
  await signIn(page, ADA)
  await page.goto(record.page)
  await expect(titleOf(page)).toHaveValue('As it was')
  const ada = await asProgram(server.url, ADA)
  await ada.endAllSessions()
  await titleOf(page).fill('Half a sentence')
  await expect(page.getByText(SESSION_ERRORS.bothExpired)).toBeVisible()
  await fillLogin(page, ADA)
  await expect(titleOf(page)).toHaveValue('Half a sentence')
  const { ask } = await asProgram(server.url, ADA)
  await expect.poll(() => ask('GET', record.api)).toMatchObject({ values: { title: 'Half a sentence' } })
})

test('signing out deletes unsaved drafts', async ({ page, server }) => {
  const record = await makeRecord(server.url, 'leaving')
  await signIn(page, ADA)
  await page.goto(record.page)
  await page.route(`**${record.api}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await titleOf(page).fill('A private thought')
  await page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH')
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
  expect(await kept()).toContain('A private thought')
  await signOut(page)
  expect(await kept()).not.toContain('A private thought')
})

test('no secret is in storage, URLs, tab messages or the console', async ({ context, page, server }) => {
  const secrets = new Set<string>()
  const seen: string[] = []
  context.on('console', (message) => seen.push(message.text()))
  context.on('request', (request) => seen.push(request.url()))
  context.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname !== REFRESH && pathname !== '/api/auth/login') return
    void response.json().then(({ token }: { readonly token?: string }) => {
      if (token !== undefined) secrets.add(token)
    })
  })
  const listener = await anotherTab(context, '/login')
  await listener.evaluate(() => {
    const heard: string[] = []
    new BroadcastChannel('dossier.session').addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))
    Object.assign(window, { heard })
  })
  await signIn(page, ADA)
  await page.reload()
  await expect(accountOf(page, ADA)).toBeVisible()
  secrets.add(await refreshToken(context))
  await page.evaluate(() => history.pushState(history.state, '', '/account/profile'))

  for (const tab of [page, listener]) {
    seen.push(
      await tab.evaluate(async () => {
        const databases = await indexedDB.databases()
        const caches = 'caches' in window ? await window.caches.keys() : []
        const kept = { ...localStorage, ...sessionStorage, state: history.state as unknown }
        const names = Object.keys(window).filter((name) => /token|secret|auth/i.test(name))
        return JSON.stringify([kept, databases, caches, names, document.cookie, window.name, location.href])
      }),
    )
  }
  seen.push(JSON.stringify(await listener.evaluate(() => Reflect.get(window, 'heard') as unknown)))
  seen.push(server.printed())
  // Two access tokens issued for the same session within the same second are identical.
  expect(secrets.size).toBeGreaterThanOrEqual(2)
  const parts = [...secrets].flatMap((secret) => [secret, secret.split('.').at(-1) ?? secret])
  for (const part of parts) expect(seen.filter((text) => text.includes(part))).toEqual([])
  expect(seen.join('\n')).not.toContain(ADA.password)
})
