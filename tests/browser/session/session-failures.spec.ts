import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, type Route } from '@playwright/test'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  accountOf,
  ADA,
  asProgram,
  fillLogin,
  makeRecord,
  noteRequests,
  signIn,
  signOut,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { startServer } from '#tests/support/server/started-server.ts'

test.use({ serverSettings: WITH_ADA })

const MINUTE_MS = 60_000
const REFRESH = '/api/auth/refresh'

const offline = (page: Page) => page.getByText(/can’t reach the server/i).first()
const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' })

/** Opens a page that has to load new data. */
async function visit(page: Page, collection: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: collection, exact: true }).click()
}

test('an offline start never redirects to sign-in and continues when back online', async ({ page }) => {
  await signIn(page, ADA)
  await page.route('**/api/**', (route) => route.abort())
  await page.reload()
  // The second message appears if offline copies were stored before the reload.
  const waiting = page.getByText(/Waiting for the server. You’ll stay signed in.|Can’t reach the server./)
  await expect(waiting.first()).toBeVisible()
  await expect(page).not.toHaveURL(/\/login/)
  await page.unroute('**/api/**')
  // The page may be in its longest pause between two tries, 15 s.
  await expect(accountOf(page, ADA)).toBeVisible({ timeout: 60_000 })
})

test('a refresh attempted offline keeps the session and is retried once online', async ({ context, page, server }) => {
  const record = await makeRecord(server.url, 'renewal')
  await page.clock.install()
  await signIn(page, ADA)
  await page.goto(record.page)
  await expect(titleOf(page)).toHaveValue('As it was')
  await context.setOffline(true)
  await page.clock.setSystemTime(Date.now() + 31 * MINUTE_MS)
  await titleOf(page).fill('Written offline')
  await expect(offline(page)).toBeVisible()
  await expect(accountOf(page, ADA)).toBeVisible()
  await context.setOffline(false)
  const { ask } = await asProgram(server.url, ADA)
  await expect
    .poll(() => ask('GET', record.api), { timeout: 30_000 })
    .toMatchObject({
      values: { title: 'Written offline' },
    })
  await expect(offline(page)).toBeHidden()
  await expect(accountOf(page, ADA)).toBeVisible()
})

test('an offline sign-out takes effect immediately, and the server is notified later', async ({ context, page }) => {
  await signIn(page, ADA)
  const browserSessions = async () => {
    const answer = await context.request.post(REFRESH, { headers: { 'x-requested-with': 'dossier' } })
    return answer.status()
  }
  // The menu is loaded when the page is idle.
  await page.getByRole('button', { name: /account of/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeHidden()
  await context.setOffline(true)
  await signOut(page)
  const heard = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/logout') && answer.ok(), {
    timeout: 60_000,
  })
  await context.setOffline(false)
  await heard
  const { to } = noteRequests(page)
  await page.goto('/')
  await expect(page).toHaveURL(/\/login/)
  expect(to(REFRESH)).toEqual([])
  expect(await browserSessions()).not.toBe(200)
})

test('an offline sign-out takes effect even if the tab is closed', async ({ context, page }) => {
  await signIn(page, ADA)
  await page.route('**/api/**', (route) => route.abort())
  await signOut(page)
  await page.close()
  const next = await context.newPage()
  const { to } = noteRequests(next)
  await next.goto('/')
  await expect(next).toHaveURL(/\/login/)
  expect(to(REFRESH)).toEqual([])
  await next.waitForLoadState('networkidle')
  expect(to('/api/auth/logout')).toHaveLength(1)
  await next.reload()
  await expect(next.getByLabel('Email')).toBeVisible()
  expect(to('/api/auth/logout')).toHaveLength(1)
})

test('a page that is opened, restored or resumed with an ended session shows the exact message', async ({
  context,
  page,
}) => {
  await page.clock.install()
  const says = (text: string) => expect(page.getByText(text)).toBeVisible()
  const dropCookie = () => context.clearCookies({ name: 'dossier_refresh' })
  await signIn(page, ADA)
  await dropCookie()
  await page.goto('/')
  await says(SESSION_ERRORS.bothExpired)
  await fillLogin(page, ADA)
  await expect(accountOf(page, ADA)).toBeVisible()
  await dropCookie()
  await page.reload()
  await says(SESSION_ERRORS.bothExpired)
  // Restores the page from the back-forward cache after its token has expired.
  await fillLogin(page, ADA)
  await expect(accountOf(page, ADA)).toBeVisible()
  await dropCookie()
  await page.clock.setSystemTime(Date.now() + 31 * MINUTE_MS)
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await says(SESSION_ERRORS.bothExpired)
  // The session is valid, but the response doesn't contain its user.
  await fillLogin(page, ADA)
  await expect(accountOf(page, ADA)).toBeVisible()
  const nobody = (route: Route) => route.fulfill({ json: {} })
  await page.route('**/api/auth/user', nobody)
  await page.reload()
  await says(SESSION_ERRORS.noUserField)
  await fillLogin(page, ADA)
  await says(SESSION_ERRORS.noUserField)
  await page.unroute('**/api/auth/user', nobody)
  await fillLogin(page, ADA)
  await expect(accountOf(page, ADA)).toBeVisible()
})

test('an offline sign-in shows an error and works when back online', async ({ context, page }) => {
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeVisible()
  await context.setOffline(true)
  await fillLogin(page, ADA)
  await expect(offline(page)).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(accountOf(page, ADA)).toBeVisible()
})

test('the sign-in form works before the scripts have loaded', async ({ page }) => {
  const email = page.getByLabel('Email')
  const password = page.getByLabel('Password', { exact: true })
  /** Opens the page with its scripts blocked; returns a function that unblocks them. */
  async function openWithoutScripts() {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/assets/first-*.js', async (route) => {
      await promise
      await route.continue()
    })
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(email).toBeFocused()
    return resolve
  }
  const earlyForm = page.locator('#early-sign-in')

  await test.step('typed text is kept when the scripts load, without a layout shift', async () => {
    const load = await openWithoutScripts()
    await email.fill(ADA.email)
    await password.pressSequentially('seven')
    const before = await Promise.all([email, password].map((input) => input.boundingBox()))
    load()
    await expect(earlyForm).toBeHidden()
    await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible()
    await expect(email).toHaveValue(ADA.email)
    await expect(password).toHaveValue('seven')
    await expect(password).toBeFocused()
    for (const [at, input] of [email, password].entries()) {
      const [was, is] = [before[at], await input.boundingBox()]
      expect(Math.abs((was?.y ?? 0) - (is?.y ?? 0))).toBeLessThanOrEqual(1)
    }
  })
  await test.step('a form submitted before the scripts load is sent', async () => {
    const load = await openWithoutScripts()
    await email.fill(ADA.email)
    await password.fill(ADA.password)
    await password.press('Enter')
    load()
    await expect(accountOf(page, ADA)).toBeVisible()
    await expect(earlyForm).toBeHidden()
  })
})

test("sleeping past the token's expiry causes only one refresh", async ({ page }) => {
  await page.clock.install()
  await signIn(page, ADA)
  const { all, to } = noteRequests(page)
  await page.clock.setSystemTime(Date.now() + 8 * 60 * MINUTE_MS)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => to(REFRESH).length).toBe(1)
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page.getByText(ADA.email).first()).toBeVisible()
  expect(to(REFRESH)).toHaveLength(1)
  // A request canceled by navigation has no response.
  for (const request of all) expect((await request.response())?.status() ?? 200, request.url()).toBeLessThan(400)
})

for (const [said, offMs] of [
  ['an hour ahead', 60 * MINUTE_MS],
  ['an hour behind', -60 * MINUTE_MS],
] as const) {
  test(`a clock that is ${said} doesn't affect the session`, async ({ page, server }) => {
    const name = offMs > 0 ? 'clockahead' : 'clockbehind'
    await makeRecord(server.url, name)
    const start = Date.now() + offMs
    await page.clock.install({ time: start })
    await signIn(page, ADA)
    const { all, to } = noteRequests(page)
    await page.clock.setSystemTime(start + 29 * MINUTE_MS)
    await visit(page, name)
    await expect(page.getByText('As it was')).toBeVisible()
    expect(to(REFRESH)).toHaveLength(0)
    await page.clock.setSystemTime(start + 31 * MINUTE_MS)
    await page.getByText('As it was').click()
    await expect(titleOf(page)).toBeVisible()
    expect(to(REFRESH)).toHaveLength(1)
    // A request canceled by navigation has no response.
    for (const request of all) expect((await request.response())?.status() ?? 200, request.url()).toBeLessThan(400)
  })
}

test('after a killed server restarts, all users are still signed in and pending edits are saved', async ({ page }) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-killed-'))
  const first = await startServer({ ...WITH_ADA, dataFolder })
  const port = Number(new URL(first.url).port)
  const record = await makeRecord(first.url, 'killed')
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto(first.url + record.page)
  await fillLogin(page, ADA)
  await expect(titleOf(page)).toHaveValue('As it was')
  await first.kill()
  await titleOf(page).fill('Written while it was away')
  await expect(offline(page)).toBeVisible()
  await expect(titleOf(page)).toHaveValue('Written while it was away')
  const second = await startServer({ ...WITH_ADA, dataFolder, port })
  const { ask } = await asProgram(second.url, ADA)
  await expect
    .poll(() => ask('GET', record.api), { timeout: 30_000 })
    .toMatchObject({
      values: { title: 'Written while it was away' },
    })
  await expect(accountOf(page, ADA)).toBeVisible()
  await second.stop()
  await rm(dataFolder, { recursive: true })
})
