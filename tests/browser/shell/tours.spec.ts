import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  accountOf,
  ADA,
  asProgram,
  fillLogin,
  GRACE,
  acceptInvitation,
  type Person,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'

// Tour progress is stored on the server; a separate server prevents tours from being offered in other tests.
test.use({ serverSettings: { env: { ...WITH_ADA.env, LOG_LEVEL: 'error' } } })

const NAME = 'voyages'

const card = (page: Page) => page.locator('.mantine-Tour-tooltip')
const stepOf = (page: Page) => card(page).locator('.mantine-Tour-stepCounter')

test.beforeAll(async ({ server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    name: NAME,
    label: 'Voyages',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Days', kind: 'number' },
      { label: 'Log', kind: 'rich-text' },
      { label: 'Papers', kind: 'files' },
    ],
  })
  await ask('POST', `/api/collections/${NAME}/records`, { values: { title: 'To the islands', days: 12 } })
  await acceptInvitation(ask, GRACE, 'editor')
})

async function signInAndIsOffered(page: Page, person: Person): Promise<void> {
  await page.goto('/login')
  await fillLogin(page, person)
  await expect(accountOf(page, person)).toBeVisible()
}

/** Texts that are truncated in the tour card. */
const cutWords = (page: Page): Promise<readonly (string | null)[]> =>
  card(page)
    .locator('button *, span')
    .evaluateAll((all) =>
      all
        .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getClientRects().length > 1)
        .map((each) => each.textContent),
    )

/** Steps through the current tour; returns the announced and the actual number of steps. */
async function walk(page: Page): Promise<{ readonly titles: readonly string[]; readonly said: number }> {
  const titles: string[] = []
  await expect(card(page)).toBeVisible()
  const said = Number(/(\d+)$/.exec((await stepOf(page).textContent()) ?? '')?.[1])
  for (;;) {
    const title = (await card(page).locator('.mantine-Tour-title').textContent()) ?? ''
    titles.push(title)
    await expect(card(page)).toBeInViewport({ ratio: 1 })
    expect(await cutWords(page), title).toEqual([])
    const isLast = titles.length === said
    await page.keyboard.press('ArrowRight')
    if (isLast) break
    await expect(card(page).locator('.mantine-Tour-title')).not.toHaveText(title)
  }
  await expect(card(page)).toBeHidden()
  return { titles, said }
}

async function startFromHelp(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  await page.getByRole('button', { name: button }).click()
}

test('tours are offered only once, start on a click, and remain on their page', async ({ page, context }) => {
  const missing: string[] = []
  page.on('console', (message) => message.text().includes('passed over') && missing.push(message.text()))
  await signInAndIsOffered(page, ADA)
  const start = page.getByRole('button', { name: 'Start tour' })

  await test.step('no tour starts automatically', async () => {
    await expect(page.getByText('New here?')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(card(page)).toHaveCount(0)
  })

  await test.step("the tour doesn't trap focus, and the command palette opens above it", async () => {
    await start.click()
    await expect(card(page)).toContainText('Your collections')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: 'Search and commands' })
    await expect(palette).toBeFocused()
    await page.keyboard.type('voyages')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('option', { name: 'Voyages' }).first().click({ trial: true })
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    await expect(stepOf(page)).toHaveText('1 of 4')
    for (let at = 0; at < 6; at += 1) await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.mantine-Tour-tooltip') ?? null)).toBeNull()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(stepOf(page)).toHaveText('2 of 4')
  })

  await test.step('after a reload, the tour resumes at the same step', async () => {
    await page.reload()
    await expect(card(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Resume at step 2' }).click()
    await expect(stepOf(page)).toHaveText('2 of 4')
    await page.keyboard.press('ArrowRight')
    await expect(stepOf(page)).toHaveText('3 of 4')
    await page.keyboard.press('ArrowRight')
    await expect(stepOf(page)).toHaveText('4 of 4')
    const saved = savedTour(page, 'done')
    await page.keyboard.press('ArrowRight')
    await expect(card(page)).toBeHidden()
    await saved
    await expect(page).toHaveURL(/\/$/)
  })

  await test.step('owners are offered an additional tour, which can be declined for all browsers', async () => {
    await expect(page.getByText('Set up your workspace')).toBeVisible()
    const another = await context.newPage()
    await another.goto('/')
    await another.getByRole('button', { name: 'Start tour' }).click()
    const { titles, said } = await walk(another)
    expect(titles).toHaveLength(said)
    await another.close()
    await page.reload()
    await expect(page.locator('[data-tour="collections"]')).toBeVisible()
    await expect(start).toHaveCount(0)
  })
  expect(missing).toEqual([])
})

const savedTour = (page: Page, state: string) =>
  page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/account/tours') &&
      answer.request().method() === 'PUT' &&
      answer.request().postData()?.includes(state) === true,
  )

test('leaving the page ends a tour, and an owner can turn tours off for all users', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await signInAndIsOffered(page, ADA)
  await page.goto(`/collections/${NAME}`)
  await startFromHelp(page, 'Take the tour of this page')
  await expect(card(page)).toContainText('Find records')
  await page.goBack()
  await expect(card(page)).toBeHidden()

  await page.goto('/settings/workspace#tours')
  const offered = page.getByRole('switch', { name: 'Offer tours' })
  await offered.click()
  await expect(offered).not.toBeChecked()
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Help' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take the tour of this page' })).toHaveCount(0)
  await page.reload()
  await expect(offered).not.toBeChecked()
  await offered.click()
  await expect(offered).toBeChecked()
})

/** Every page that has its own tour. */
async function pagesWithTours(page: Page): Promise<readonly string[]> {
  await page.goto(`/collections/${NAME}`)
  const record = await page.locator('.grid-row a, .card-list a').first().getAttribute('href')
  return [
    '/',
    `/collections/${NAME}`,
    String(record),
    '/import',
    `/collections/${NAME}/settings`,
    '/settings/users',
    '/settings/roles',
    '/settings/roles/editor',
    '/settings/workspace',
    '/settings/outbox',
    '/settings/audit',
    '/settings/tokens',
    '/account/profile',
    '/account/security',
    '/account/sessions',
  ]
}

test("each page's tour is available in help, and every step has a target", async ({ page }) => {
  test.setTimeout(240_000)
  const missing: string[] = []
  page.on('console', (message) => message.text().includes('passed over') && missing.push(message.text()))
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await signInAndIsOffered(page, ADA)
  const pages = await pagesWithTours(page)
  for (const path of pages) {
    await page.goto(path)
    await startFromHelp(page, 'Take the tour of this page')
    const { titles, said } = await walk(page)
    expect(titles.length, path).toBe(said)
    expect(titles.length, path).toBeGreaterThanOrEqual(3)
    await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeFocused()
  }
  expect(missing).toEqual([])
})

test('in German on the smallest phone, tour cards fit and no word is cut off', async ({ browser, server }) => {
  test.setTimeout(240_000)
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'de-DE',
    reducedMotion: 'reduce',
    viewport: { width: 320, height: 640 },
  })
  const page = await context.newPage()
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto('/login')
  await page.getByLabel('E-Mail').fill(ADA.email)
  await page.getByLabel('Passwort', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  const help = page.getByRole('button', { name: 'Hilfe', exact: true })
  await expect(help).toBeVisible()
  for (const path of await pagesWithTours(page)) {
    await page.goto(path)
    await help.click()
    await page.getByRole('button', { name: 'Rundgang durch diese Seite' }).click()
    const { titles, said } = await walk(page)
    expect(titles.length, path).toBe(said)
  }
  await context.close()
})

test('a user closes a tour with Escape and resumes it from help in another browser', async ({
  page,
  browser,
  server,
}) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await signInAndIsOffered(page, GRACE)
  await page.getByRole('button', { name: 'Start tour' }).click()
  await expect(card(page)).toContainText('Your collections')
  await expect(card(page)).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(stepOf(page)).toHaveText('2 of 4')
  expect(await page.evaluate(() => document.activeElement?.closest('.mantine-Tour-tooltip') !== null)).toBe(true)
  const saved = savedTour(page, 'dismissed')
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
  await saved

  const other = await browser.newContext({
    baseURL: server.url,
    reducedMotion: 'reduce',
    viewport: { width: 375, height: 720 },
  })
  const elsewhere = await other.newPage()
  await signInAndIsOffered(elsewhere, GRACE)
  await expect(elsewhere.locator('[data-tour="collections"]')).toBeVisible()
  await expect(elsewhere.getByRole('button', { name: 'Start tour' })).toHaveCount(0)
  await elsewhere.getByRole('button', { name: 'Help', exact: true }).click()
  // Members aren't offered the owner tour.
  await expect(elsewhere.getByRole('button', { name: 'Owner tour' })).toHaveCount(0)
  await elsewhere.getByRole('button', { name: 'Resume at step 2' }).click()
  await expect(stepOf(elsewhere)).toHaveText('2 of 4')
  await other.close()
})

test('in right-to-left layout, the tour card fits and arrows are mirrored', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('dossier.tours', 'off')
    document.addEventListener('readystatechange', () => document.documentElement.setAttribute('dir', 'rtl'))
  })
  await page.setViewportSize({ width: 375, height: 720 })
  await signInAndIsOffered(page, ADA)
  await startFromHelp(page, 'Take the tour of this page')
  await expect(card(page)).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(stepOf(page)).toHaveText('2 of 4')
  await expect(card(page)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
})
