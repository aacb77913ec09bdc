import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test as base } from '#tests/support/browser/browser-page.ts'
import { startIdentityProvider, type TestIdentityProvider } from '#tests/support/identity/identity-provider.ts'
import {
  accountOf,
  ADA,
  asProgram,
  makeRecord,
  signIn,
  signOut,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { findFreePort, startServer } from '#tests/support/server/started-server.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'

type Acme = { readonly provider: TestIdentityProvider; readonly port: number }

/** A local identity provider with its own pages, and a server configured for it. */
const test = base.extend<object, { readonly acme: Acme }>({
  acme: [
    // Playwright reads fixture dependencies from the destructuring pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const port = await findFreePort()
      const provider = await startIdentityProvider('acme', `http://localhost:${port}/callback`)
      await use({ provider, port })
      await provider.goAway()
    },
    { scope: 'worker' },
  ],
  serverSettings: [
    async ({ acme: { provider, port } }, use) =>
      use({ port, env: { ...WITH_ADA.env, ...WITH_MOVABLE_CLOCK, ...settingsOf('ACME', provider) } }),
    { scope: 'worker' },
  ],
})

const settingsOf = (name: string, { settings }: TestIdentityProvider): Readonly<Record<string, string>> => ({
  [`OIDC_${name}_ISSUER`]: settings.issuer.origin,
  [`OIDC_${name}_CLIENT_ID`]: settings.clientId,
  [`OIDC_${name}_CLIENT_SECRET`]: settings.clientSecret.reveal(),
})

// The provider's pages request an external font; requests to other hosts are blocked.
test.beforeEach(({ page }) => page.route(/^https:/, (route) => route.abort()))

/** Signs in at the provider and gives consent. */
async function passProvider(page: Page, subject: string): Promise<void> {
  await sayWhoThere(page, subject)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function sayWhoThere(page: Page, subject: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(subject)
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

const enterWithAcme = (page: Page) => page.getByRole('button', { name: 'Sign in with Acme' }).click()

async function withoutTours(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
}

test('a user without a linked provider gets an explanation and no session', async ({ page }) => {
  await withoutTours(page)
  await page.goto('/login')
  await enterWithAcme(page)
  await passProvider(page, 'stranger')
  await expect(page.getByText('No account is linked to your Acme sign-in')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('a user links a provider, signs in with it, returns to the requested page, and unlinks it', async ({
  page,
  server,
}) => {
  const record = await makeRecord(server.url, 'linked')
  await signIn(page, ADA)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Link Acme' }).click()
  await passProvider(page, 'ada-at-acme')
  await expect(page).toHaveURL(/\/account\/security$/)
  await expect(page.getByRole('button', { name: 'Unlink Acme' })).toBeVisible()

  await signOut(page)
  await page.goto(`${record.page}?from=letter#title`)
  await expect(page).toHaveURL(/\/login/)
  // The provider session is still active.
  await enterWithAcme(page)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('As it was')
  await expect(page).toHaveURL(`${server.url}${record.page}?from=letter#title`)
  await expect(accountOf(page, ADA)).toBeVisible()

  // The session survives a reload.
  await page.reload()
  await expect(accountOf(page, ADA)).toBeVisible()

  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Unlink Acme' }).click()
  await expect(page.getByRole('button', { name: 'Link Acme' })).toBeVisible()
})

test("a provider's response works only once, in the browser that requested it", async ({ page, browser }) => {
  await signIn(page, ADA)
  await page.goto('/account/security')
  let answer = ''
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('/callback?')) answer = request.url()
  })
  await page.getByRole('button', { name: 'Link Acme' }).click()
  await passProvider(page, 'ada-at-acme')
  await expect(page.getByRole('button', { name: 'Unlink Acme' })).toBeVisible()
  expect(answer).toContain('code=')
  // Neither the URL nor the history contains the provider's response.
  expect(page.url()).not.toContain('code=')

  const elsewhere = await (await browser.newContext()).newPage()
  for (const one of [page, elsewhere]) {
    await one.goto(answer)
    await expect(one.getByText('expired or was started in another browser')).toBeVisible()
  }
  await elsewhere.context().close()
})

test('a user who signs in only with a provider re-authenticates there and returns', async ({ page, server, acme }) => {
  test.setTimeout(120_000)
  const email = 'emmy@example.org'
  acme.provider.addPerson('emmy', { email, emailVerified: true })
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/users', { email, name: 'Emmy Noether', roles: ['viewer'] })
  const clock = clockOf(server)
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })

  await test.step('an invited user joins with the provider, without a password', async () => {
    await withoutTours(page)
    await page.goto('/login')
    await enterWithAcme(page)
    await passProvider(page, 'emmy')
    await expect(page.getByRole('button', { name: 'account of Emmy Noether' })).toBeVisible()
    await page.goto('/account/security')
    await expect(page.getByText('An external account is the only way to sign in')).toBeVisible()
    await page.getByRole('button', { name: 'Unlink Acme' }).click()
    await expect(page.getByRole('region', { name: 'Linked accounts' }).getByRole('alert')).toContainText(
      'only way to sign in',
    )
  })

  await test.step('a sensitive setting requires re-authentication with the provider', async () => {
    clock.goOn()
    await page.getByRole('button', { name: 'Set up' }).click()
    await expect(dialog.getByRole('button', { name: 'Sign in again with Acme' })).toBeFocused()
    await expect(dialog.getByLabel('Password')).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Cancel/ }).click()
    await expect(page.getByText('Acme denied access')).toBeVisible()
    await page.getByRole('button', { name: 'Go back' }).click()
    await expect(page).toHaveURL(/\/account\/security$/)

    await page.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByRole('button', { name: 'Sign in again with Acme' }).click()
    await sayWhoThere(page, 'emmy')
    await expect(page.getByText('Identity confirmed.')).toBeVisible()
    await expect(page).toHaveURL(/\/account\/security$/)
    expect(page.url()).not.toContain('code=')
    // The provider doesn't ask for consent again.
    await page.getByRole('button', { name: 'Set up' }).click()
    await expect(page.getByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('re-authentication with another provider account is rejected', async () => {
    clock.goOn()
    await page.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByRole('button', { name: 'Sign in again with Acme' }).click()
    await passProvider(page, 'stranger')
    await expect(page.getByText('with a different account than the linked one')).toBeVisible()
    await page.getByRole('button', { name: 'Go back' }).click()
  })

  await test.step('a user sets a password in the settings, or by email if the provider is unavailable', async () => {
    await page.getByRole('button', { name: 'Create a password' }).click()
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await expect(dialog.getByRole('status')).toContainText(`password reset link to ${email}`)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create a password' }).click()
    await dialog.getByRole('button', { name: 'Sign in again with Acme' }).click()
    await passProvider(page, 'emmy')
    await expect(page).toHaveURL(/\/account\/security$/)
    await page.getByRole('button', { name: 'Create a password' }).click()
    await expect(page.getByLabel('Current password')).toHaveCount(0)
    await page.getByLabel('New password').fill('rings have ideals of their own')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Only a password protects this account')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused()
  })
})

test('an unavailable provider is reported, and other sign-ins work', async ({ page }) => {
  const port = await findFreePort()
  const away = await startIdentityProvider('away', `http://localhost:${port}/callback`)
  await away.goAway()
  const server = await startServer({
    port,
    env: { ...WITH_ADA.env, ...settingsOf('AWAY', away) },
  })
  await withoutTours(page)
  await page.goto(`${server.url}/login`)
  await page.getByRole('button', { name: 'Sign in with Away' }).click()
  await expect(page.getByText('Can’t reach Away')).toBeVisible()
  await page.getByLabel('Email').fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(accountOf(page, ADA)).toBeVisible()
  await server.stop()
})
