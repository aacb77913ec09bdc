import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { scriptLoaded, test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, fillLogin, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { startServer } from '#tests/support/server/started-server.ts'

// The tests in this file provoke failures, which are logged to the browser console.
test.use({ serverSettings: WITH_ADA, provokes: 'refusals' })

/** Folder for screenshots, if requested. */
const SHOTS = process.env['DOSSIER_PICTURES']

const shot = async (page: Page, name: string) => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` })
}

const bar = (page: Page) => page.locator('.frame-bar')
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

async function makeCollections(url: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  const fields = [{ label: 'Title', kind: 'text' }]
  const { items } = (await ask('GET', '/api/collections')) as { readonly items?: readonly { name: string }[] }
  // Tests in this file share a server but can also run individually.
  if (items?.some(({ name }) => name === 'lighthouses')) return
  for (const label of ['Harbours', 'Lighthouses']) await ask('POST', '/api/collections', { label, fields })
  await ask('POST', '/api/collections/harbours/records', { values: { title: 'Sønderho, on the island of Fanø' } })
}

test('an offline banner shows what is saved locally, and reconnection is detected', async ({ page }) => {
  test.setTimeout(240_000)
  const first = await startServer(WITH_ADA)
  await makeCollections(first.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto(`${first.url}/login`)
  await fillLogin(page, ADA)
  await page.getByRole('link', { name: 'Harbours' }).first().click()
  await expect(page.getByRole('link', { name: /Sønderho/ })).toBeVisible()

  const port = Number(new URL(first.url).port)
  // Waits for pending module loads: one interrupted by the server shutdown would prompt the user to reload.
  await page.waitForLoadState('networkidle')
  await scriptLoaded(page, 'status-bars')
  await first.stop()
  await page.clock.install()
  await page.getByRole('link', { name: 'Lighthouses' }).first().click()
  await expect(bar(page)).toContainText('Can’t reach the server.')
  await expect(bar(page)).toContainText('Your edits are kept in this browser.')
  await expect(bar(page)).toContainText(/Retrying/)
  await shot(page, 'offline')
  expect(await axeFindings(page)).toEqual([])
  await bar(page).getByRole('button', { name: 'Retry now' }).click()
  await expect(bar(page)).toBeVisible()

  // Pauses the clock, because the page would otherwise retry before the click.
  await page.clock.pauseAt(Date.now() + 1000)
  const again = await startServer({ ...WITH_ADA, dataFolder: first.dataFolder, port })
  await bar(page).getByRole('button', { name: 'Retry now' }).click()
  await page.clock.resume()
  await expect(bar(page)).toBeHidden()
  await again.stop()
})

test('pending changes are counted and sent once the server is back', async ({ page, server }) => {
  await makeCollections(server.url)
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections/lighthouses/records', { values: { title: 'Kullen' } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto('/collections/lighthouses')
  await page.getByRole('link', { name: 'Kullen' }).click()
  const title = page.getByRole('region', { name: 'Record in Lighthouses' }).getByRole('textbox', { name: 'Title' })
  await expect(title).toBeVisible()

  await page.route('**/api/**', (route) => route.abort())
  await title.fill('Kullens fyr')
  await expect(bar(page)).toContainText('1 change not sent yet. Keep this tab open.')
  expect(await axeFindings(page)).toEqual([])
  await shot(page, 'offline-waiting')
  // The retry also covers requests of a page that the user has left.
  await page.getByRole('link', { name: 'Harbours' }).first().click()
  await expect(page).toHaveURL(/\/harbours$/)
  await page.unroute('**/api/**')
  const again = bar(page).getByRole('button', { name: 'Retry now' })
  // The page may have retried before the click.
  await expect(async () => {
    if ((await again.count()) > 0) await again.click({ timeout: 1000 })
    await expect(bar(page)).toBeHidden({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  await page.getByRole('link', { name: 'Lighthouses' }).first().click()
  await expect(page.getByRole('link', { name: 'Kullens fyr' })).toBeVisible()
})

test("a new server version is announced without a forced reload, and a missing chunk doesn't break the page", async ({
  page,
  server,
}) => {
  await makeCollections(server.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)

  await test.step('a response from another server version shows a banner without reloading', async () => {
    await page.goto('/collections/harbours')
    await expect(page.getByRole('link', { name: /Sønderho/ })).toBeVisible()
    await page.evaluate(() => Object.assign(window, { isOld: true }))
    await page.route('**/api/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'dossier-version': '9.9.9+00000000' } })
    })
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(bar(page)).toContainText('A new version is available.')
    expect(await page.evaluate(() => 'isOld' in window)).toBe(true)
    await shot(page, 'update')
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('a dismissed banner stays hidden, and is gone after a reload', async () => {
    await bar(page).getByRole('button', { name: 'Later' }).click()
    await expect(bar(page)).toBeHidden()
    await page.getByRole('link', { name: 'Lighthouses' }).first().click()
    await expect(page).toHaveURL(/lighthouses/)
    await expect(bar(page)).toBeHidden()
    await page.reload()
    await expect(heading(page, 'Lighthouses')).toBeVisible()
    await expect(bar(page)).toBeHidden()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  await test.step('a page with a missing chunk shows an error with a retry button inside the app frame', async () => {
    await page.goto('/')
    await page.evaluate(() => Object.assign(window, { isOld: true }))
    await page.route('**/assets/audit-page-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await expect(heading(page, 'Couldn’t load this page')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Workspace' })).toBeVisible()
    await expect(bar(page)).toContainText('A new version is available.')
    expect(await page.evaluate(() => 'isOld' in window)).toBe(true)
    await shot(page, 'part-missing')
    expect(await axeFindings(page)).toEqual([])
    await page.unroute('**/assets/audit-page-*.js')
    await page.getByRole('main').getByRole('button', { name: 'Reload page' }).click()
    await expect(heading(page, 'Audit log')).toBeVisible()
    await expect(bar(page)).toBeHidden()
  })

  await test.step('a dialog with a missing chunk leaves the page unchanged', async () => {
    await page.route('**/assets/frame-later-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto('/')
    await expect(heading(page, 'Home')).toBeVisible()
    await page.keyboard.press('?')
    await expect(bar(page)).toContainText('A new version is available.')
    await expect(heading(page, 'Home')).toBeVisible()
    await page.unroute('**/assets/frame-later-*.js')
  })
})

test('a page that crashes keeps the app frame and shows details for support', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.route('**/assets/audit-page-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export const AuditPage = () => { throw new Error("The page broke on purpose.") }',
    }),
  )
  await page.goto('/settings/audit')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Workspace' })).toBeVisible()
  await expect(page.getByText('Your saved changes are safe')).toBeVisible()
  await page.locator('summary').click()
  await expect(page.getByLabel('Details')).toContainText('The page broke on purpose.')
  await expect(page.getByRole('button', { name: 'Copy details' })).toBeVisible()
  await shot(page, 'crash')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('main').getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(heading(page, /./)).toBeVisible()
})

test('an unknown URL shows the requested path and suggests similar names', async ({ page, server }) => {
  await makeCollections(server.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/collections/harbuors')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, ADA)
  await page.goto('/collections/harbuors')
  await expect(heading(page, 'Page not found')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('/collections/harbuors')
  await shot(page, 'not-found')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page
    .getByRole('list', { name: /Were you looking/ })
    .getByRole('link', { name: 'Harbours' })
    .click()
  await expect(page).toHaveURL(/\/collections\/harbours$/)
  await page.goto('/setings/peple')
  await page
    .getByRole('list', { name: /Were you looking/ })
    .getByRole('link', { name: 'People', exact: true })
    .and(page.locator('[href^="/settings"]'))
    .click()
  await expect(page).toHaveURL(/\/settings\/users$/)
})

test('breadcrumbs link to the home page and the collection, switch collections, and are truncated in the middle', async ({
  page,
  server,
}) => {
  await makeCollections(server.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto('/collections/harbours')
  await page.getByRole('link', { name: /Sønderho/ }).click()
  await page.getByRole('link', { name: 'Open full page' }).click()
  await expect(crumbs(page).getByRole('listitem')).toHaveText(['Home', 'Harbours', /Sønderho/])
  await expect(crumbs(page).locator('[aria-current="page"]')).toHaveText(/Sønderho/)
  await shot(page, 'crumbs')

  await page.setViewportSize({ width: 320, height: 640 })
  const last = crumbs(page).locator('[aria-current="page"]')
  await expect(crumbs(page).getByRole('link', { name: 'Home' })).toBeHidden()
  expect((await last.boundingBox())?.width).toBeGreaterThan(40)
  await shot(page, 'crumbs-320')
  await page.setViewportSize({ width: 1440, height: 900 })

  await crumbs(page).getByRole('button', { name: 'Switch collection' }).click()
  await page.getByRole('menuitem', { name: 'Lighthouses' }).click()
  await expect(page).toHaveURL(/\/collections\/lighthouses$/)
  await crumbs(page).getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/settings/users')
  await expect(crumbs(page).getByRole('listitem')).toHaveText(['Home', 'Settings', 'People'])
})

test('a record is printed in dark text on white, without controls', async ({ page, server }) => {
  await makeCollections(server.url)
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page, ADA)
  await page.goto('/collections/harbours')
  await page.getByRole('link', { name: /Sønderho/ }).click()
  await page.getByRole('link', { name: 'Open full page' }).click()
  await expect(page.getByText(/^Created/)).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const { paper, ink } = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body)
    return { paper: backgroundColor, ink: color }
  })
  expect([paper, ink]).toEqual(['rgb(255, 255, 255)', 'rgb(28, 27, 25)'])
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('navigation').filter({ visible: true })).toHaveCount(0)
})

test('late-loading fonts cause no layout shift, because fallback fonts have the same metrics', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/*.woff2', async (route) => {
    await held
    await route.continue()
  })
  await page.addInitScript(() => {
    const shifts = Object.assign(window, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.shifted += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/login')
  const places = async () =>
    Promise.all(
      [page.getByRole('heading', { level: 1 }), page.getByLabel('Password', { exact: true })].map((one) =>
        one.boundingBox(),
      ),
    )
  await expect(page.locator('#early-sign-in')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const before = await places()
  letGo()
  await page.evaluate(() => document.fonts.ready)
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Inter Variable"'))).toBe(true)
  expect(await places()).toEqual(before)
  expect(await page.evaluate(() => (window as unknown as { readonly shifted: number }).shifted)).toBeLessThan(0.01)
})
