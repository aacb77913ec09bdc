import { expect, type Page } from '@playwright/test'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  accountOf,
  ADA,
  asProgram,
  fillLogin,
  noteRequests,
  signIn,
  signOut,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'

// This test needs a workspace without collections, so it starts its own server.
test.use({ serverSettings: { env: { ...WITH_ADA.env, LOG_LEVEL: 'fatal' } } })

const REFRESH = '/api/auth/refresh'
const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search)

test.describe('a guest', () => {
  test('C14: is redirected from a protected page to sign-in with only the return path in the URL', async ({ page }) => {
    await page.goto('/account/profile?a=1&b=2')
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect.poll(() => addressOf(page)).toBe('/login?return=%2Faccount%2Fprofile%3Fa%3D1%26b%3D2')
  })

  for (const path of ['/login', '/login/', '/forgot-password', '/callback', '/logout', '/reset-password']) {
    test(`C14, C16: remains at ${path}`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect((await addressOf(page)).replace(/\/$/, '')).toBe(path.replace(/\/$/, ''))
    })
  }

  test('C22: sees a not-found page instead of the sign-in page at an unknown URL', async ({ page }) => {
    const { all } = noteRequests(page)
    await page.goto('/nowhere/at/all')
    await expect(page.getByText(/not found/i).first()).toBeVisible()
    await expect.poll(() => addressOf(page)).toBe('/nowhere/at/all')
    // The response contains only the workspace's name and logo, which are public.
    expect(all.map((request) => new URL(request.url()).pathname)).toEqual(['/api/workspace/branding'])
  })

  test('sends no failing request if there is no session to restore', async ({ page }) => {
    const failed: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url())
    })
    await page.goto('/')
    await expect(page.getByLabel('Email')).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(failed).toEqual([])
  })
})

test.describe('a signed-in user', () => {
  for (const [path, page] of [
    ['/settings', '/settings/workspace'],
    ['/account', '/account/profile'],
    ['/docs', '/api/docs'],
  ] as const) {
    test(`is redirected from ${path} to ${page}`, async ({ page: tab }) => {
      await signIn(tab, ADA)
      await tab.goto(path)
      await expect.poll(() => addressOf(tab)).toBe(page)
      await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
    })
  }

  for (const path of ['/login', '/login/', '/forgot-password', '/invitation?code=x']) {
    test(`C14: is redirected home from ${path}`, async ({ page, server }) => {
      await signIn(page, ADA)
      await page.goto(path)
      await expect(accountOf(page, ADA)).toBeVisible()
      await expect(page).toHaveURL(`${server.url}/`)
    })
  }

  test('C14: remains on a protected page', async ({ page }) => {
    await signIn(page, ADA)
    await page.goto('/account/profile')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => addressOf(page)).toBe('/account/profile')
  })

  test('C14: with an expired token opens a protected page after one refresh', async ({ page }) => {
    await page.clock.install()
    await signIn(page, ADA)
    const { to } = noteRequests(page)
    await page.clock.setSystemTime(Date.now() + 31 * 60_000)
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page).toHaveURL(/\/account\/profile$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(to(REFRESH)).toHaveLength(1)
  })

  test('C14, changed: with an ended session is redirected to sign-in and never sees the page', async ({
    page,
    server,
  }) => {
    await page.clock.install()
    await signIn(page, ADA)
    // Waits until the open menu's requests have finished; otherwise they would detect the ended session first.
    await page.getByRole('button', { name: /account of/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await (await asProgram(server.url, ADA)).endAllSessions()
    const { to } = noteRequests(page)
    await page.clock.setSystemTime(Date.now() + 31 * 60_000)
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page.getByText(SESSION_ERRORS.bothExpired)).toBeVisible()
    await expect.poll(() => addressOf(page)).toBe('/login?return=%2Faccount%2Fprofile')
    expect(to(REFRESH)).toHaveLength(1)
  })

  test('C15: is redirected home after signing in, or back to the protected page', async ({ page, server }) => {
    await signIn(page, ADA)
    await expect(page).toHaveURL(`${server.url}/`)
    await signOut(page)
    await page.goto('/account/profile#there')
    await fillLogin(page, ADA)
    await expect(page).toHaveURL(`${server.url}/account/profile#there`)
  })
})

test("C18: an open page isn't redirected when the user signs in or out in another tab", async ({ context, page }) => {
  const open = await context.newPage()
  await open.goto('/callback')
  const lost = await context.newPage()
  await lost.goto('/nowhere')
  await signIn(page, ADA)
  await expect(accountOf(lost, ADA)).toBeVisible()
  await signOut(page)
  await expect(accountOf(lost, ADA)).toBeHidden()
  await expect.poll(() => addressOf(open)).toBe('/callback')
  await expect.poll(() => addressOf(lost)).toBe('/nowhere')
})

test("a protected home page isn't visible after signing out", async ({ context, page }) => {
  await signIn(page, ADA)
  const home = await context.newPage()
  await home.goto('/')
  await expect(accountOf(home, ADA)).toBeVisible()
  await signOut(page)
  await expect(home).toHaveURL(/\/login/)
})

test.describe('with renamed routes and scope field', () => {
  const SETTINGS = {
    DOSSIER_LOGIN_ROUTE: '/enter',
    DOSSIER_HOME_ROUTE: '/start',
    DOSSIER_LOGOUT_ROUTE: '/leave',
    DOSSIER_CALLBACK_ROUTE: '/back',
    DOSSIER_SCOPE_FIELD: 'rights',
  }
  let server: StartedServer

  test.beforeAll(async () => {
    test.setTimeout(120_000)
    server = await startServer({ env: { ...WITH_ADA.env, ...SETTINGS } })
  })

  test.afterAll(() => server.stop())

  test('the server prints the renamed home URL', () => {
    expect(server.printed()).toContain(`Dossier is ready at ${server.url}/start\n`)
  })

  test('a page opens if the renamed scope field contains its scope', async ({ page }) => {
    await enter(page, '/settings/workspace')
    await expect(page.getByRole('heading', { name: 'Workspace', exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeHidden()
  })

  test('tours, links and shortcuts lead to the renamed home page', async ({ page }) => {
    await enter(page, '/account/profile')
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await expect(page).toHaveURL(`${server.url}/start`)
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    await page.getByRole('button', { name: 'Take the tour of this page' }).click()
    await expect(page.locator('.mantine-Tour-tooltip')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.goto(`${server.url}/account/profile`)
    await expect(accountOf(page, ADA)).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(page).toHaveURL(`${server.url}/start`)
  })

  /**
   * Mocks the user response: the renamed field contains the given permissions, and the default field still grants
   * everything.
   */
  const grant = (page: Page, rights: unknown) =>
    page.route('**/api/auth/user', async (route) => {
      const answer = await route.fetch()
      // Response format declared in `api/sessions.ts`.
      const { user } = (await answer.json()) as { readonly user: object }
      await route.fulfill({ response: answer, json: { user: { ...user, rights } } })
    })

  async function enter(page: Page, path: string): Promise<void> {
    await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
    await page.goto(server.url + path)
    await fillLogin(page, ADA)
    await expect(accountOf(page, ADA)).toBeVisible()
  }

  test('C19: a page without its scope shows that access is denied, and a page with its scope opens', async ({
    page,
  }) => {
    await grant(page, ['records:read', 'users:manage'])
    await enter(page, '/settings/workspace')
    await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
    await expect(page.getByText('Manage workspace settings')).toBeVisible()
    await page.getByRole('link', { name: 'Go home' }).click()
    await expect(page).toHaveURL(`${server.url}/start`)
    await page.unroute('**/api/auth/user')
    await grant(page, { 'workspace:manage': true })
    await page.goto(`${server.url}/settings/workspace`)
    await expect(accountOf(page, ADA)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeHidden()
  })

  for (const [said, rights] of [
    ['a word that only looks like it', 'workspace:managed workspace'],
    ['nothing', undefined],
    ['a plain true', true],
  ] as const) {
    test(`C20: ${said} in the scope field grants nothing`, async ({ page }) => {
      await grant(page, rights)
      await enter(page, '/settings/workspace')
      await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
    })
  }

  test('sign-in, home and sign-out exist only at their new URLs', async ({ page }) => {
    await page.goto(`${server.url}/start`)
    await expect(page).toHaveURL(`${server.url}/enter`)
    await enter(page, '/account/profile')
    await expect.poll(() => addressOf(page)).toBe('/account/profile')
    await page.goto(`${server.url}/enter`)
    await expect(page).toHaveURL(`${server.url}/start`)
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${server.url}/leave`)
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await expect(page).toHaveURL(`${server.url}/enter`)
    for (const old of ['/login', '/logout', '/callback', '/']) {
      await page.goto(server.url + old)
      await expect(page.getByText(/not found/i).first()).toBeVisible()
      await expect.poll(() => addressOf(page)).toBe(old)
    }
    await page.goto(`${server.url}/back`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => addressOf(page)).toBe('/back')
  })

  test('signing in never redirects to the renamed sign-out', async ({ page }) => {
    await enter(page, '/enter?return=/leave')
    await expect(page).toHaveURL(`${server.url}/start`)
  })
})
