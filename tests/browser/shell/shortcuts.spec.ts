import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

/** Folder for screenshots, if requested. */
const SHOTS = process.env['DOSSIER_PICTURES']

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const lineOf = (page: Page, does: string) => sheet(page).locator('dl > div').filter({ hasText: does })

test("the shortcut list shows the page's shortcuts and can turn off single-key shortcuts", async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', { label: 'Kites', fields: [{ label: 'Title', kind: 'text' }] })
  await ask('POST', '/api/collections/kites/records', { values: { title: 'Red kite' } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)

  await test.step('a question mark opens the shortcut list, which is searchable', async () => {
    await page.keyboard.press('?')
    await expect(sheet(page)).toBeVisible()
    await expect(page.getByRole('searchbox', { name: 'Search shortcuts' })).toBeFocused()
    for (const group of ['Everywhere', 'In a list', 'In an open record', 'In the grid', 'Text editor'])
      await expect(sheet(page).getByRole('heading', { name: group })).toBeVisible()
    await expect(lineOf(page, 'Search and commands')).toContainText('Ctrl')
    expect(await axeFindings(page)).toEqual([])
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/shortcuts.png` })
    await page.keyboard.type('fill')
    await expect(sheet(page).locator('dl > div')).toHaveText([/Fill down/, /Fill to the end/])
    await page.getByRole('searchbox', { name: 'Search shortcuts' }).fill('no such key')
    await expect(sheet(page)).toContainText('No shortcuts found for “no such key”.')
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toBeHidden()
  })

  await test.step('two-key sequences navigate', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await expect(page).toHaveURL(/\/account\/profile$/)
    await page.locator('main').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(page).toHaveURL(/\/$/)
  })

  await test.step('single-key shortcuts work in a list, and the same keys type letters in inputs', async () => {
    await page.goto('/collections/kites')
    await expect(page.getByRole('link', { name: 'Red kite' })).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('ce')
    await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue('ce')
    await page.keyboard.press('Escape')
    await page.locator('main').focus()
    await page.keyboard.press('f')
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await expect.poll(() => filter.evaluate((panel) => panel.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await expect(filter).toBeHidden()
    await page.locator('main').focus()
    await page.keyboard.press('c')
    await expect(page.getByRole('region', { name: 'Record in Kites' })).toBeVisible()
  })

  await test.step('single-key shortcuts can be turned off without affecting modifier shortcuts', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await sheet(page)
      .getByRole('switch', { name: /Single-key shortcuts/ })
      .click()
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toBeHidden()
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused()
    await expect(sheet(page)).toBeHidden()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+/')
    await sheet(page)
      .getByRole('switch', { name: /Single-key shortcuts/ })
      .click()
  })

  await test.step('printing the shortcut list omits the rest of the page', async () => {
    await page.emulateMedia({ media: 'print' })
    await expect(sheet(page).getByRole('heading', { name: 'Everywhere' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Workspace' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await page.emulateMedia({ media: 'screen' })
  })

  await test.step('everything fits the smallest screen, even in dark mode', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page)).toEqual([])
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/shortcuts-320.png` })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })
})

test('density depends on the device or the setting, and is remembered', async ({ page, browser }) => {
  const heightOf = (name: string) => async () => (await page.getByRole('link', { name }).first().boundingBox())?.height
  /** The menu stays open so that the selected option is visible. */
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitemradio', { name, exact: true }).click()
    await expect(page.getByRole('menuitemradio', { name, exact: true })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await expect.poll(heightOf('Home')).toBe(32)
  await choose('Comfortable')
  await expect.poll(heightOf('Home')).toBe(40)
  await page.getByRole('button', { name: /account of/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Comfortable' })).toBeChecked()
  const line = await page.getByRole('menuitem', { name: 'Profile' }).boundingBox()
  expect(line?.height).toBe(40)
  expect(await axeFindings(page)).toEqual([])
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/density.png` })
  await page.keyboard.press('Escape')
  await page.reload()
  await expect.poll(heightOf('Home')).toBe(40)
  await choose('Auto')
  await expect.poll(heightOf('Home')).toBe(32)

  await test.step('touch devices use wider spacing by default, and compact spacing if selected', async () => {
    const phone = await browser.newPage({ baseURL: new URL(page.url()).origin, hasTouch: true, isMobile: true })
    await signIn(phone, ADA)
    const tokens = () => phone.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--row'))
    expect(await tokens()).toBe('40px')
    await phone.getByRole('button', { name: /account of/ }).click()
    await phone.getByRole('menuitemradio', { name: 'Compact' }).click()
    expect(await tokens()).toBe('32px')
    await phone.close()
  })

  await test.step('the color scheme follows the system while the page is open', async () => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(paper).toBe('rgb(251, 250, 247)')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(paper).toBe('rgb(21, 20, 18)')
    await choose('Light')
    await expect.poll(paper).toBe('rgb(251, 250, 247)')
  })
})
