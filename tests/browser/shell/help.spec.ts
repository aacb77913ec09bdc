import { expect, type Page } from '@playwright/test'
import { axeFindingsWithTargets } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ contextOptions: { reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] } })
test.use({ serverSettings: WITH_ADA })

const NAME = 'helpedAlong'

test.beforeAll(async ({ server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Status', kind: 'select', options: { choices: [{ name: 'Open' }, { name: 'Done' }] } },
  ]
  await ask('POST', '/api/collections', { name: NAME, label: 'Helped along', fields })
  await ask('POST', `/api/collections/${NAME}/records`, { values: { title: 'First', status: 'Open' } })
})

const help = (page: Page) => page.getByRole('button', { name: 'Help', exact: true })
const panel = (page: Page) => page.locator('#help-panel')

test('help opens beside the page, explains it, and gives the keyboard back', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/${NAME}`)
  await help(page).click()
  await expect(page.getByRole('complementary', { name: 'Help' })).toBeVisible()
  await expect(panel(page)).toContainText('All records of a collection')
  await expect(panel(page).getByRole('heading', { name: 'In the grid' })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search help' })).toBeFocused()
  // Beside: the page is as wide as what is left.
  const [main, aside] = [await page.locator('#main').boundingBox(), await panel(page).boundingBox()]
  expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(aside?.x ?? 0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindingsWithTargets(page)).toEqual([])
  }
  await page.goto('/settings/audit')
  await help(page).click()
  await expect(panel(page)).toContainText('Audit log')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(help(page)).toBeFocused()
})

test('the filter language, the keys and every setting are found, and a filter is taken along', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/${NAME}`)
  await help(page).click()
  const search = page.getByRole('searchbox', { name: 'Search help' })
  await search.fill('@today-1m')
  await expect(panel(page).getByText('one month ago or later')).toBeVisible()
  await search.fill('unique')
  await expect(panel(page).getByText('Two records can’t have the same value')).toBeVisible()
  await search.fill('search commands')
  await expect(panel(page).getByText('Search and commands')).toBeVisible()
  await search.fill('xyzzy')
  await expect(panel(page).getByRole('status')).toContainText('No help found for “xyzzy”.')
  await page.getByRole('link', { name: 'Home' }).first().click()
  await search.fill('status = "Open" &&')
  await panel(page).getByRole('button', { name: 'Copy status = "Open" && hours > 2' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('status = "Open" && hours > 2')
})

test('beside a list an example goes into its filter, and Back takes it out', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/${NAME}`)
  await help(page).click()
  const search = page.getByRole('searchbox', { name: 'Search help' })
  const filter = () => new URL(page.url()).searchParams.get('filter')
  const add = (text: string) =>
    panel(page)
      .getByRole('button', { name: `Add ${text} to this list’s filter`, exact: true })
      .click()
  const typed = page.getByRole('dialog', { name: 'Filter' }).getByRole('combobox', { name: 'Filter as text' })

  await search.fill('createdAt')
  await add('createdAt >= @today-7d')
  await expect.poll(filter).toBe('createdAt >= @today-7d')
  await expect(page.getByRole('rowheader', { name: 'First' })).toBeVisible()
  await page.goBack()
  await expect.poll(filter).toBe(null)

  // What does not fit this list waits in its filter to be made to fit.
  await search.fill('status = "Open" &&')
  await add('status = "Open" && hours > 2')
  await expect(typed).toHaveValue('status = "Open" && hours > 2')
  await expect(typed).toBeFocused()
  expect(filter()).toBe(null)
})

test('on a phone help takes the whole page, and keeps the keyboard in it', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await signIn(page, ADA)
  await help(page).click()
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible()
  expect(await panel(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 375, height: 720 })
  expect(await axeFindingsWithTargets(page)).toEqual([])
  await page.getByRole('button', { name: 'Close help' }).click()
  await expect(help(page)).toBeFocused()
})

/** Inputs in sight that set something and do not say what they are: what is looked for or confirmed sets nothing. */
const unexplained = (page: Page, within: string) =>
  page
    .locator(within)
    .evaluate((root) =>
      [...root.querySelectorAll<HTMLElement>('input:not([type="hidden"], [type="search"], [type="file"]), textarea')]
        .filter((input) => input.getClientRects().length > 0 && input.closest('[data-setting]') === null)
        .map((input) => input.getAttribute('aria-label') ?? input.closest('label')?.textContent ?? input.outerHTML),
    )

test('every setting says what it is, in place', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const states = { label: 'Way', kind: 'state', options: { choices: [{ name: 'New' }, { name: 'Old' }] } }
  await ask('POST', '/api/collections', { name: 'withStates', label: 'With states', fields: [states] })
  await signIn(page, ADA)

  await test.step('of the workspace', async () => {
    await page.goto('/settings/workspace')
    await expect(page.getByLabel('Maximum sessions per user')).toBeVisible()
    expect(await unexplained(page, '#main')).toEqual([])
    const button = page.locator('[data-setting="storage-limit"]').getByRole('button', { name: 'What is this?' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Uploads that exceed the limit are rejected before they start')).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindingsWithTargets(page)).toEqual([])
    }
    await page.keyboard.press('Escape')
    await expect(page.getByText('Uploads that exceed the limit are rejected before they start')).toBeHidden()
    await expect(button).toBeFocused()
  })

  await test.step('of a collection and its fields', async () => {
    await page.goto('/collections/withStates/settings')
    await expect(page.getByLabel('Primary field')).toBeVisible()
    expect(await unexplained(page, '#collection-names')).toEqual([])
    await page.getByRole('button', { name: 'Add a field', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /field/i })
    await expect(dialog).toBeVisible()
    for (const kind of await dialog.getByRole('radio').all()) {
      if (!(await kind.isEnabled())) continue
      await kind.check({ force: true })
      expect(await unexplained(page, '[role="dialog"]')).toEqual([])
    }
    // The words close, and the dialog they stand in stays.
    await dialog.getByRole('button', { name: 'What is this?' }).first().click()
    await expect(page.getByText('Shown above the value')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('Shown above the value')).toBeHidden()
    await expect(dialog).toBeVisible()
  })

  await test.step('of a role and of a token', async () => {
    await page.goto('/settings/roles')
    await page.getByRole('button', { name: 'New role' }).click()
    await expect(page.getByRole('dialog').getByLabel('Description')).toBeVisible()
    expect(await unexplained(page, '[role="dialog"]')).toEqual([])
    await page.goto('/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).first().click()
    await expect(page.getByRole('dialog').getByText('Expires')).toBeVisible()
    expect(await unexplained(page, '[role="dialog"]')).toEqual([])
  })
})
