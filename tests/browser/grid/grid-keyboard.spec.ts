import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { expectVisibleFocus, pressWithVisibleFocus } from '#tests/support/browser/visible-focus.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ locale: 'en-US' })
test.use({ serverSettings: WITH_ADA })
test.setTimeout(180_000)

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

async function makeParts(url: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Parts',
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Amount', kind: 'number' },
      { label: 'Paid', kind: 'checkbox' },
      { label: 'Due', kind: 'date' },
      { label: 'Status', kind: 'select', options: choices('Open', 'Packed', 'Done') },
      { label: 'Note', kind: 'long-text' },
      { label: 'Code', kind: 'text' },
    ],
  })
  const create = Array.from({ length: 60 }, (_, at) => ({
    values: { title: `Part ${at + 1}`, amount: at + 1, status: ['Open', 'Packed', 'Done'][at % 3], code: `C${at + 1}` },
  }))
  await ask('POST', '/api/collections/parts/records/bulk', { create })
}

/** The focused cell or header as announced: row, column, text. */
const at = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest('[aria-colindex]')
    const row = cell?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex')
    return `${row}/${cell?.getAttribute('aria-colindex')} ${cell?.textContent}`
  })

/** Chooses an item in the open menu. */
async function choose(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name: new RegExp(`^${name}`) })
  await expect(item).toBeVisible()
  for (let steps = 0; steps < 30 && !(await item.evaluate((it) => it === document.activeElement)); steps += 1) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(item).toBeHidden()
}

const nameOfFocused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const it = document.activeElement
    const hasLabel = it instanceof HTMLInputElement || it instanceof HTMLSelectElement
    const label = hasLabel ? it.labels?.[0]?.textContent : undefined
    return (it?.getAttribute('aria-label') ?? label ?? it?.textContent ?? '').trim()
  })

/** Presses Tab until an element with this name has focus. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    if ((await nameOfFocused(page)) === name) return
    await pressWithVisibleFocus(page, key)
  }
  expect(await nameOfFocused(page), 'where the Tab key leads').toBe(name)
}

/** Whether the element contains the focus. */
const isIn = (place: Locator): Promise<boolean> => place.evaluate((it) => it.contains(document.activeElement))

const said = (page: Page) => page.locator('.grid-frame [role="status"]')

test('everything in the grid works by keyboard, and focus is never lost or hidden', async ({
  page,
  server,
  browserName,
}) => {
  await makeParts(server.url)
  await signIn(page, ADA)
  await page.goto('/collections/parts')
  const grid = page.getByRole('grid', { name: 'Parts' })
  await expect(grid).toContainText('Part 10')
  await page.waitForLoadState('networkidle')
  const press = (...keys: string[]) => pressWithVisibleFocus(page, ...keys)
  const search = page.getByRole('searchbox', { name: 'Search' })

  await test.step('the grid is a single tab stop', async () => {
    await search.focus()
    let stops = 0
    while (!(await isIn(grid))) {
      await press('Tab')
      stops += 1
      expect(stops).toBeLessThan(20)
    }
    expect(await at(page)).toBe('2/2 Part 1')
    await press('Tab')
    expect(await isIn(grid)).toBe(false)
    await press('Shift+Tab')
    expect(await at(page)).toBe('2/2 Part 1')
  })

  await test.step('arrow keys reach every edge', async () => {
    await press('ArrowDown', 'ArrowRight')
    expect(await at(page)).toBe('3/3 2')
    await press('End')
    expect(await at(page)).toMatch(/^3\/8 /)
    await press('Home', 'ArrowRight', 'Control+End')
    expect(await at(page)).toMatch(/^11\/8 /)
    await press('Control+Home', 'PageDown', 'PageUp')
    expect(await at(page)).toMatch(/^2\/1/)
    await press('ArrowUp')
    expect(await at(page)).toMatch(/^1\/1/)
  })

  await test.step('columns are sorted by one or several fields', async () => {
    await press('ArrowRight', 'ArrowRight', 'Enter', 'Enter')
    await expect(page).toHaveURL(/sort=-amount$/)
    await expect(grid).toContainText('Part 60')
    await expect(page.getByRole('columnheader', { name: /^Amount/ })).toHaveAttribute('aria-sort', 'descending')
    await expect(said(page)).toHaveText(/Sorted by Amount, descending/)
    await press('ArrowRight', 'Shift+Enter')
    await expect(page).toHaveURL(/sort=-amount%2Cpaid$/)
    await press('ArrowLeft', 'Enter')
    await expect(page).toHaveURL(/sort=amount$/)
    await press('Enter', 'Enter')
    await expect(page).not.toHaveURL(/sort=/)
  })

  await test.step('columns are resized, moved, fitted, frozen, hidden and shown', async () => {
    expect(await at(page)).toBe('1/3 Amount')
    const width = () => page.evaluate(() => document.activeElement?.clientWidth ?? 0)
    const before = await width()
    await press('Shift+ArrowRight', 'Shift+ArrowRight')
    await expect.poll(width).toBe(before + 32)
    await press('Control+Shift+ArrowRight')
    await expect.poll(() => at(page)).toBe('1/4 Amount')
    await expect(said(page)).toHaveText('Amount is column 3 of 7')
    await press('Control+Shift+f')
    await expect.poll(width).toBeLessThan(before)
    await press('Control+Shift+ArrowLeft')
    await expect.poll(() => at(page)).toBe('1/3 Amount')
    await press('F2')
    await choose(page, 'Freeze columns up to here')
    await expectVisibleFocus(page, 'freezing')
    await expect.poll(() => at(page)).toBe('1/3 Amount')
    await press('F2')
    await choose(page, 'Unfreeze columns')
    await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'F2')
    await choose(page, 'Hide')
    await expect(page.getByRole('columnheader', { name: /^Status/ })).toBeHidden()
    await expectVisibleFocus(page, 'hiding a column')
    await expect.poll(() => at(page)).toBe('1/6 Code')
  })

  await test.step('the columns panel shows a hidden column again and lists filters', async () => {
    await press('Shift+Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Columns')
    await press('Enter')
    const panel = page.getByRole('dialog', { name: 'Columns' })
    await expect(panel).toBeVisible()
    await tabTo(page, 'Status')
    await press('Space')
    await expect(page.getByRole('columnheader', { name: /^Status/ })).toBeVisible()
    await tabTo(page, 'Show column filters', 'Shift+Tab')
    await press('Space', 'Escape')
    await expect(panel).toBeHidden()
    await press('Tab')
    expect(await at(page)).toMatch(/^1\/6 /)
  })

  await test.step('a column is filtered in its filter row', async () => {
    await press('Home', 'ArrowRight', 'ArrowDown')
    expect(await at(page)).toMatch(/^2\/2/)
    await press('Enter')
    await page.keyboard.type('part 5')
    await expect(said(page)).toHaveText(/11 records|1–10 of 11/)
    await press('Escape', 'ArrowDown')
    expect(await at(page)).toBe('3/2 Part 5')
    await press('ArrowUp', 'Enter', 'Control+a', 'Delete', 'Enter', 'Escape')
    await expect(grid).toContainText('Part 10')
  })

  await test.step('single rows, then all matching records, are selected', async () => {
    await press('ArrowDown', 'Home', 'Space', 'ArrowDown', 'Space')
    await expect(said(page)).toHaveText('2 selected')
    await press('ArrowUp', 'ArrowUp', 'ArrowUp', 'Space')
    await expect(said(page)).toHaveText('10 selected')
    await tabTo(page, 'Clear selection')
    await tabTo(page, 'Select all 60 matching', 'Shift+Tab')
    await press('Enter')
    await expect(said(page)).toHaveText('60 selected')
    await expectVisibleFocus(page, 'selecting all that match')
    await tabTo(page, 'Clear selection')
    await page.keyboard.press('Enter')
    await expectVisibleFocus(page, 'clearing the selection')
  })

  await test.step('cells are edited, selected, copied, pasted, filled, cleared, undone and redone', async () => {
    const stored = async () => {
      const { ask } = await asProgram(server.url, ADA)
      const { items } = await ask('GET', '/api/collections/parts/records?perPage=5&fields=amount')
      // Matches the API contract.
      return (items as readonly { readonly values: { readonly amount: number | null } }[]).map(
        ({ values }) => values.amount,
      )
    }
    expect(await isIn(grid)).toBe(true)
    await press('Control+Home', 'ArrowRight', 'ArrowRight')
    await page.keyboard.type('77')
    await press('Enter')
    await expect.poll(stored).toEqual([77, 2, 3, 4, 5])
    await press('F2', 'Escape', 'ArrowUp')
    expect(await at(page)).toBe('3/3 77')
    await page.keyboard.press('Control+c')
    await expect(said(page)).toHaveText('Cell copied')
    await press('ArrowDown', 'Shift+ArrowDown')
    await expect(said(page)).toHaveText('2 × 1 cells')
    await page.keyboard.press('Control+v')
    await expect.poll(stored).toEqual([77, 77, 77, 4, 5])
    await press('Shift+ArrowDown', 'Control+d', 'Delete')
    await expect.poll(stored).toEqual([77, null, null, null, 5])
    for (let step = 0; step < 4; step += 1) await press('Control+z')
    await expect.poll(stored).toEqual([1, 2, 3, 4, 5])
    await press('Control+y')
    await expect.poll(stored).toEqual([77, 2, 3, 4, 5])
    await press('Control+Space', 'Shift+Space', 'Control+a', 'Escape')
  })

  await test.step('Space opens a record, and the shortcut list can be opened from a cell', async () => {
    await press('Control+Home', 'ArrowRight', 'Space')
    await expect(page.getByRole('region', { name: 'Record in Parts' })).toBeVisible()
    await press('Escape')
    await expect.poll(() => at(page)).toBe('3/2 Part 1')
    await press('Control+/')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(keys).toContainText('Open record, toggle checkbox or preview file')
    await press('Escape')
    await expect(keys).toBeHidden()
    expect(await at(page)).toBe('3/2 Part 1')
    await press('ArrowRight')
  })

  await test.step('the cell menu opens by keyboard', async () => {
    // Firefox opens the menu only for real keyboard events.
    const openMenu = async () =>
      browserName === 'firefox' ? page.locator(':focus').dispatchEvent('contextmenu') : press('Shift+F10')
    await press('ArrowRight')
    await openMenu()
    await choose(page, 'Clear cell')
    await expectVisibleFocus(page, 'a choice in the menu of a cell')
    await openMenu()
    await press('Escape')
    expect(await at(page)).toMatch(/\/4 /)
  })

  await test.step('the keyboard switches pages and shows all records', async () => {
    await tabTo(page, 'Records per page')
    await tabTo(page, 'Next page')
    await press('Enter')
    await expect(grid).toContainText('Part 11')
    await tabTo(page, 'Last page')
    await press('Enter')
    await expect(grid).toContainText('Part 60')
    await tabTo(page, 'Records per page', 'Shift+Tab')
    await page.keyboard.type('All')
    await expect(page).toHaveURL(/perPage=all/)
    await expect(grid).toContainText('Part 12')
    await expectVisibleFocus(page, 'showing all records')
    expect(await nameOfFocused(page)).toBe('Records per page')
  })

  await test.step('records are grouped, and groups are expanded and collapsed', async () => {
    while (!(await isIn(grid))) await press('Shift+Tab')
    await press('Control+Home', 'ArrowUp', 'ArrowUp')
    while (!(await at(page)).endsWith(' Status')) await press('ArrowRight')
    await press('F2')
    await choose(page, 'Group by this field')
    const tree = page.getByRole('treegrid', { name: 'Parts' })
    await expect(tree.getByRole('row', { name: /^Open/ })).toBeVisible()
    await expectVisibleFocus(page, 'grouping')
    while (!(await isIn(tree))) await press('Tab')
    await press('Control+Home', 'ArrowLeft')
    await expect(tree.getByRole('row', { name: /^Open/ })).toHaveAttribute('aria-expanded', 'false')
    await press('ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'Control+End', 'ArrowLeft')
    expect(await at(page)).toContain('C60')
  })
})
