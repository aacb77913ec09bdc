import { expect, type Page } from '@playwright/test'
import { axeFindingsWithTargets } from '#tests/support/axe-findings.ts'
import { test } from '#tests/support/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/session-page.ts'

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
  await expect(panel(page).getByText('a month ago or later')).toBeVisible()
  await search.fill('unique')
  await expect(panel(page).getByText('No two records may have the same value')).toBeVisible()
  await search.fill('search commands')
  await expect(panel(page).getByText('Search and commands')).toBeVisible()
  await search.fill('xyzzy')
  await expect(panel(page).getByRole('status')).toHaveText('Nothing in help has all of “xyzzy”.')
  await search.fill('status = "Open" &&')
  await panel(page).getByRole('button', { name: 'Copy status = "Open" && hours > 2' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('status = "Open" && hours > 2')
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
