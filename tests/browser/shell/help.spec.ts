import { expect, type Page } from '@playwright/test'
import { axeFindingsWithTargets } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
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

test('help opens next to the page, explains the page, and returns focus', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/${NAME}`)
  await help(page).click()
  await expect(page.getByRole('complementary', { name: 'Help' })).toBeVisible()
  await expect(panel(page)).toContainText('All records in a collection')
  await expect(panel(page).getByRole('heading', { name: 'In the grid' })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search help' })).toBeFocused()
  // The page must fit next to the panel.
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

test('help finds filter syntax, shortcuts and settings, and copies a filter', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/${NAME}`)
  await help(page).click()
  const search = page.getByRole('searchbox', { name: 'Search help' })
  await search.fill('@today-1m')
  await expect(panel(page).getByText('one month ago or later')).toBeVisible()
  await search.fill('unique')
  await expect(panel(page).getByText('No two records can have the same value')).toBeVisible()
  await search.fill('search commands')
  await expect(panel(page).getByText('Search and commands')).toBeVisible()
  await search.fill('xyzzy')
  await expect(panel(page).getByRole('status')).toContainText('No help found for “xyzzy”.')
  await page.getByRole('link', { name: 'Home' }).first().click()
  await search.fill('status = "Open" &&')
  await panel(page).getByRole('button', { name: 'Copy status = "Open" && hours > 2' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('status = "Open" && hours > 2')
})

test('next to a list, help inserts an example into the filter, and going back removes it', async ({ page }) => {
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

  // A filter that is invalid for this list remains in the filter input.
  await search.fill('status = "Open" &&')
  await add('status = "Open" && hours > 2')
  await expect(typed).toHaveValue('status = "Open" && hours > 2')
  await expect(typed).toBeFocused()
  expect(filter()).toBe(null)
})

test('on a phone, help covers the page and traps focus', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await signIn(page, ADA)
  await help(page).click()
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible()
  expect(await panel(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 375, height: 720 })
  expect(await axeFindingsWithTargets(page)).toEqual([])
  await page.getByRole('button', { name: 'Close help' }).click()
  await expect(help(page)).toBeFocused()
})

/** Returns visible settings that have no help text; search and confirmation inputs don't count as settings. */
const unexplained = (page: Page, within: string) =>
  page
    .locator(within)
    .evaluate((root) =>
      [...root.querySelectorAll<HTMLElement>('input:not([type="hidden"], [type="search"], [type="file"]), textarea')]
        .filter((input) => input.getClientRects().length > 0 && input.closest('[data-setting]') === null)
        .map((input) => input.getAttribute('aria-label') ?? input.closest('label')?.textContent ?? input.outerHTML),
    )

test('every setting has inline help', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const states = { label: 'Way', kind: 'state', options: { choices: [{ name: 'New' }, { name: 'Old' }] } }
  await ask('POST', '/api/collections', { name: 'withStates', label: 'With states', fields: [states] })
  await signIn(page, ADA)

  await test.step('workspace', async () => {
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

  await test.step('collection and field settings have inline help', async () => {
    await page.goto('/collections/withStates/settings')
    await expect(page.getByLabel('Primary field')).toBeVisible()
    expect(await unexplained(page, '#collection-names')).toEqual([])
    await page.getByRole('button', { name: 'Add a field', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /field/i })
    await expect(dialog).toBeVisible()
    await dialog.getByText('Advanced').click()
    const type = dialog.getByRole('combobox', { name: 'Field type' })
    await type.click()
    const types = page.locator('[role="option"]:not([data-combobox-disabled]) .option-words > :first-child')
    await expect(types.first()).toBeVisible()
    for (const label of await types.allInnerTexts()) {
      await type.click()
      await page
        .getByRole('option')
        .filter({ has: page.getByText(label, { exact: true }) })
        .click()
      expect(await unexplained(page, '[role="dialog"]')).toEqual([])
    }
    // Closes only the help panel, not the dialog that opened it.
    await type.click()
    await page.getByRole('option', { name: /^Select/ }).click()
    await dialog.getByRole('button', { name: 'What is this?' }).first().click()
    await expect(page.getByText('The available options, in sort order.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('The available options, in sort order.')).toBeHidden()
    await expect(dialog).toBeVisible()
  })

  await test.step('role and token settings have inline help', async () => {
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
