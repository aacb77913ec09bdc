import { expect, type Page } from '@playwright/test'
import { DROPDOWN } from '#domain/specification.ts'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { openUiStage, type UiStage } from '#tests/support/browser/ui-stage.ts'
import type { StagedDropdown } from '#tests/support/ui-stage/stage.tsx'

const show = (page: Page, ...dropdowns: readonly StagedDropdown[]) =>
  page.evaluate((all) => (globalThis as unknown as UiStage).show(all), dropdowns)

const options = (page: Page) => page.getByRole('option')
const named = (count: number, name = 'Item') =>
  Array.from({ length: count }, (_, at) => ({ value: `${name}-${at}`, label: `${name} ${at}` }))

/** The active option, as announced to screen readers. */
const current = (page: Page, label: string) =>
  page.getByRole('combobox', { name: label }).evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.textContent ?? null
  })

test.beforeEach(({ page }) => openUiStage(page))

test('only a thousand of ten thousand options are rendered, in a list of at most 300 px with the total count', async ({
  page,
}) => {
  await show(page, { label: 'Place', options: named(10_000) })
  await expect(options(page)).toHaveCount(0)
  const input = page.getByRole('combobox', { name: 'Place' })
  await expect(input).toHaveAttribute('aria-expanded', 'false')
  await input.click()
  await expect(input).toHaveAttribute('aria-expanded', 'true')
  await expect(options(page)).toHaveCount(DROPDOWN.optionLimit + 1)
  await expect(options(page).last()).toHaveText('Showing 1,000 of 10,000. Keep typing to narrow the list.')
  await expect(options(page).last()).toHaveAttribute('aria-disabled', 'true')
  await expect(options(page).nth(41)).toHaveAttribute('aria-posinset', '42')
  await expect(options(page).nth(41)).toHaveAttribute('aria-setsize', '10000')
  const { height } = (await page.getByRole('listbox').boundingBox()) ?? { height: 0 }
  expect(height).toBeGreaterThan(200)
  expect(height).toBeLessThanOrEqual(DROPDOWN.maxListHeightPx)
  await input.pressSequentially('9999')
  await expect(options(page)).toHaveCount(1)
  await expect(options(page)).toHaveAttribute('aria-setsize', '1')
  await page.keyboard.press('Enter')
  await expect(input).toHaveValue('Item 9999')
})

test('the limit applies to all groups together, and empty groups are hidden', async ({ page }) => {
  const groups = ['North', 'South', 'East'].map((group) => ({ group, options: named(500, group) }))
  await show(page, { label: 'Place', options: groups })
  await page.getByRole('combobox', { name: 'Place' }).click()
  await expect(options(page)).toHaveCount(DROPDOWN.optionLimit + 1)
  await page.getByRole('combobox', { name: 'Place' }).pressSequentially('south 4')
  await expect(page.getByText('North', { exact: true })).toHaveCount(0)
  await expect(page.getByText('South', { exact: true })).toBeVisible()
})

test('every navigation key works in a list and is announced to screen readers', async ({ page }) => {
  await show(page, { label: 'Place', options: named(60) })
  const input = page.getByRole('combobox', { name: 'Place' })
  await input.focus()
  await page.keyboard.press('ArrowDown')
  await expect(input).toHaveAttribute('aria-expanded', 'true')
  expect((await axeFindings(page)).filter((finding) => finding.includes('scrollable'))).toEqual([])
  await expect(input).toHaveAttribute('aria-controls', (await page.getByRole('listbox').getAttribute('id')) ?? '')
  await expect.poll(() => current(page, 'Place')).toBe('Item 0')
  await page.keyboard.press('PageDown')
  await expect.poll(() => current(page, 'Place')).toBe('Item 7')
  await page.keyboard.press('PageUp')
  await expect.poll(() => current(page, 'Place')).toBe('Item 0')
  await page.keyboard.press('End')
  await expect.poll(() => current(page, 'Place')).toBe('Item 59')
  await page.keyboard.press('Home')
  await expect.poll(() => current(page, 'Place')).toBe('Item 0')
  await page.keyboard.press('ArrowDown')
  expect(await axeFindings(page, ['scrollable-region-focusable', 'region'])).toEqual([])
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await expect(input).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(input).toHaveValue('Item 59')
})

test('typing a letter navigates a list without a search field', async ({ page }) => {
  const fruit = ['Apple', 'Apricot', 'Éclair', 'Pear', 'Plum'].map((label) => ({ value: label, label }))
  await show(page, { label: 'Fruit', options: fruit })
  await page.clock.install()
  const input = page.getByRole('combobox', { name: 'Fruit' })
  await input.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('pl')
  await expect.poll(() => current(page, 'Fruit')).toBe('Plum')
  await page.clock.fastForward(800)
  await page.keyboard.type('e')
  await expect.poll(() => current(page, 'Fruit')).toBe('Éclair')
  await page.keyboard.press('Enter')
  await expect(input).toHaveValue('Éclair')
})

test('search ignores accents and case; several options can be selected, created and removed', async ({ page }) => {
  const places = [...named(8), { value: 'z', label: 'Zürich' }]
  await show(page, { label: 'Places', options: places, isMultiple: true, isCreatable: true })
  const input = page.getByRole('combobox', { name: 'Places' })
  await input.click()
  await input.pressSequentially('ZURICH')
  await page.keyboard.press('Enter')
  await input.pressSequentially('Oslo')
  await page.getByRole('option', { name: 'Create “Oslo”' }).click()
  await expect(page.locator('.dropdown-pill')).toHaveText(['Zürich', 'Oslo'])
  await page.keyboard.press('Backspace')
  await expect(page.locator('.dropdown-pill')).toHaveText(['Zürich'])
})

test('an unfinished IME composition selects nothing', async ({ page }) => {
  await show(page, { label: 'Place', options: named(20) })
  const input = page.getByRole('combobox', { name: 'Place' })
  await input.click()
  await page.keyboard.press('ArrowDown')
  await input.dispatchEvent('keydown', { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true })
  await expect(options(page)).toHaveCount(20)
  await expect(input).toHaveValue('')
})

test('a list opens upward if there is no room below', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 600 })
  await show(page, { label: 'Place', options: named(60), topPx: 480 })
  const input = page.getByRole('combobox', { name: 'Place' })
  await input.click()
  const list = page.getByRole('listbox')
  await expect(list).toBeVisible()
  const [above, below] = [await list.boundingBox(), await input.boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  expect(above?.y ?? -1).toBeGreaterThanOrEqual(0)
})

test('a list searched on the server renders at most a thousand options', async ({ page }) => {
  await show(page, { label: 'Record', searched: 1_500 })
  const input = page.getByRole('combobox', { name: 'Record' })
  await input.click()
  await expect(options(page)).toHaveCount(DROPDOWN.optionLimit)
  await expect(options(page).last()).toHaveAttribute('aria-posinset', '1000')
  await expect(options(page).last()).toHaveAttribute('aria-setsize', '1500')
  const { height } = (await page.getByRole('listbox').boundingBox()) ?? { height: 0 }
  expect(height).toBeLessThanOrEqual(DROPDOWN.maxListHeightPx)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('PageDown')
  await expect.poll(() => current(page, 'Record')).toBe('Found 7')
  await page.keyboard.press('Enter')
  await expect(page.locator('.dropdown-pill')).toHaveText('Found 7')
  await input.click()
  await expect(
    page.getByRole('status').filter({ hasText: 'Showing 1,000 of 1,500. Keep typing to narrow the list.' }),
  ).toBeVisible()
})
