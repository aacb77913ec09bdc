import { expect, type Page } from '@playwright/test'
import { test as base } from '#tests/support/browser-page.ts'
import { startIdentityProvider, type TestIdentityProvider } from '#tests/support/identity-provider.ts'
import { accountOf, ADA, makeRecord, signIn, signOut, WITH_ADA } from '#tests/support/session-page.ts'
import { findFreePort, startServer } from '#tests/support/started-server.ts'

type Acme = { readonly provider: TestIdentityProvider; readonly port: number }

/** A real identity provider on this machine with pages of its own, the product that knows it, and a browser between the two. */
const test = base.extend<object, { readonly acme: Acme }>({
  acme: [
    // Playwright reads from the pattern what a fixture needs; this one needs nothing.
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
      use({ port, env: { ...WITH_ADA.env, ...settingsOf('ACME', provider) } }),
    { scope: 'worker' },
  ],
})

const settingsOf = (name: string, { settings }: TestIdentityProvider): Readonly<Record<string, string>> => ({
  [`OIDC_${name}_ISSUER`]: settings.issuer.origin,
  [`OIDC_${name}_CLIENT_ID`]: settings.clientId,
  [`OIDC_${name}_CLIENT_SECRET`]: settings.clientSecret.reveal(),
})

// The provider's pages ask for a font from elsewhere; nothing here leaves this machine.
test.beforeEach(({ page }) => page.route(/^https:/, (route) => route.abort()))

/** Goes through the provider's own pages: who one is there, and that Dossier may know it. */
async function passProvider(page: Page, subject: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(subject)
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const enterWithAcme = (page: Page) => page.getByRole('button', { name: 'Sign in with Acme' }).click()

async function withoutTours(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
}

test('somebody nobody has linked is told so, and nobody is signed in', async ({ page }) => {
  await withoutTours(page)
  await page.goto('/login')
  await enterWithAcme(page)
  await passProvider(page, 'stranger')
  await expect(page.getByText('No account here is linked with your sign-in at Acme')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await expect(page.getByLabel('E-mail')).toBeVisible()
})

test('a provider is linked to an account, opens it, leads back to the page that was asked for, and is taken away', async ({
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
  // The provider knows its visitor still, and asks nothing.
  await enterWithAcme(page)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('As it was')
  await expect(page).toHaveURL(`${server.url}${record.page}?from=letter#title`)
  await expect(accountOf(page, ADA)).toBeVisible()

  // It is a session like every other: a reload keeps it.
  await page.reload()
  await expect(accountOf(page, ADA)).toBeVisible()

  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Unlink Acme' }).click()
  await expect(page.getByRole('button', { name: 'Link Acme' })).toBeVisible()
})

test('an answer of the provider works once, in the browser that asked', async ({ page, browser }) => {
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
  // Nothing of the answer is left in the address, nor a way back to it.
  expect(page.url()).not.toContain('code=')

  const elsewhere = await (await browser.newContext()).newPage()
  for (const one of [page, elsewhere]) {
    await one.goto(answer)
    await expect(one.getByText('begun too long ago, or in another browser')).toBeVisible()
  }
  await elsewhere.context().close()
})

test('a provider that is away says so, and the other ways in stay open', async ({ page }) => {
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
  await expect(page.getByText('Away cannot be reached just now')).toBeVisible()
  await page.getByLabel('E-mail').fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(accountOf(page, ADA)).toBeVisible()
  await server.stop()
})
