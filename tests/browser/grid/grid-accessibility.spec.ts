import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindingsWithTargets } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { pressWithVisibleFocus } from '#tests/support/browser/visible-focus.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

test.use({ locale: 'en-US' })
test.use({ serverSettings: WITH_ADA })
test.setTimeout(180_000)

/** Dropdown options are reached with the arrow keys from the input, which axe doesn't detect in scrollable regions. */
const isTrue = (finding: string): boolean => finding !== 'scrollable-region-focusable: .m_c0783ff9'

/** Checks the page with axe, including target sizes; takes screenshots if requested. */
async function look(page: Page, name: string): Promise<void> {
  expect.soft((await axeFindingsWithTargets(page)).filter(isTrue), name).toEqual([])
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `modes-${name}.png`), animations: 'disabled' })
}

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

async function makeTools(url: string, label: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/collections', {
    label,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Amount', kind: 'number' },
      { label: 'Paid', kind: 'checkbox' },
      { label: 'Due', kind: 'date' },
      { label: 'Status', kind: 'select', options: choices('Open', 'Packed', 'Done') },
      { label: 'Place', kind: 'select', options: choices('North', 'South') },
      { label: 'Note', kind: 'long-text' },
      { label: 'Keeper', kind: 'user' },
      { label: 'Web', kind: 'url' },
    ],
  })
  const create = Array.from({ length: 120 }, (_, at) => ({
    values: {
      title: `Tool ${at + 1}`,
      amount: at * 12.5,
      paid: at % 2 === 0,
      due: `2026-0${1 + (at % 9)}-1${at % 9}`,
      status: ['Open', 'Packed', 'Done'][at % 3],
      place: ['North', 'South'][at % 2],
      note: 'As good as new, but for a scratch on the handle',
    },
  }))
  await ask('POST', `/api/collections/${label.toLowerCase()}/records/bulk`, { create })
}

async function openList(page: Page, address: string, row: string): Promise<void> {
  await page.goto(`/collections/${address}`)
  await expect(page.getByText(row, { exact: true }).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}

const cell = (page: Page, row: number, column: number) =>
  page.locator(`[aria-rowindex="${row}"] [aria-colindex="${column}"]`)

test('axe finds no violations in the list in any mode', async ({ page, server }) => {
  await makeTools(server.url, 'Tools')
  await signIn(page, ADA)

  await test.step('axe finds no violations in paged lists and in lists of all records', async () => {
    await openList(page, 'tools', 'Tool 1')
    await look(page, 'plain')
    await openList(page, 'tools?perPage=all', 'Tool 1')
    await look(page, 'all')
  })

  await test.step('axe finds no violations in a list grouped by two fields', async () => {
    await openList(page, 'tools?perPage=all&group=status,place', 'Tool 1')
    await expect(page.getByRole('treegrid', { name: 'Tools' })).toContainText('North')
    await look(page, 'grouped')
  })

  await test.step('axe finds no violations with selected and highlighted rows', async () => {
    await openList(page, 'tools', 'Tool 1')
    await page.getByRole('checkbox', { name: 'Select Tool 2', exact: true }).check()
    await cell(page, 5, 3).click({ position: { x: 4, y: 8 } })
    await pressWithVisibleFocus(page, 'Shift+ArrowRight', 'Shift+ArrowDown')
    await look(page, 'selected')
  })

  await test.step('edited', async () => {
    await cell(page, 3, 3).click({ position: { x: 4, y: 8 } })
    await pressWithVisibleFocus(page, 'Enter')
    await look(page, 'editing')
    await page.keyboard.press('Escape')
    await cell(page, 3, 6).click({ position: { x: 4, y: 8 } })
    await pressWithVisibleFocus(page, 'Enter')
    await look(page, 'editing-choice')
    await page.keyboard.press('Escape')
  })

  await test.step('axe finds no violations in filtered and empty lists', async () => {
    await openList(page, `tools?filter=${encodeURIComponent('status = "Done"')}`, 'Tool 3')
    await look(page, 'filtered')
    await page.goto(`/collections/tools?filter=${encodeURIComponent('amount > 1000000')}`)
    await expect(page.getByText('No records match the filter.')).toBeVisible()
    await look(page, 'nothing')
  })

  await test.step('axe finds no violations with list tools open', async () => {
    await openList(page, 'tools', 'Tool 1')
    for (const name of ['Columns', 'Filter', 'Sort', 'Group']) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('dialog').first()).toBeVisible()
      await look(page, `open-${name.toLowerCase()}`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })

  await test.step('axe finds no violations in dark mode, forced colors and on a narrow screen', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await look(page, 'dark')
    for (const column of [3, 6]) {
      await cell(page, 3, column).click({ position: { x: 4, y: 8 } })
      await pressWithVisibleFocus(page, 'Enter')
      await look(page, `dark-editing-${column}`)
      await page.keyboard.press('Escape')
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await cell(page, 3, 3).click({ position: { x: 4, y: 8 } })
    await look(page, 'forced-colours')
    await page.emulateMedia({ forcedColors: 'none' })
    await page.setViewportSize({ width: 375, height: 740 })
    await openList(page, 'tools', 'Tool 1')
    await look(page, 'narrow')
    await page.setViewportSize({ width: 1280, height: 720 })
  })
})

test('right-to-left layout mirrors arrows, frozen columns, widths and scrolling', async ({ page, server }) => {
  await makeTools(server.url, 'Crafts')
  await page.addInitScript(() => {
    new MutationObserver(() => document.documentElement.setAttribute('dir', 'rtl')).observe(document, {
      childList: true,
    })
  })
  await page.setViewportSize({ width: 900, height: 700 })
  await signIn(page, ADA)
  await openList(page, 'crafts?perPage=all', 'Tool 1')
  const header = (name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
  const box = async (name: string) => {
    const found = await header(name).boundingBox()
    if (!found) throw new Error(`There is no column ${name}.`)
    return found
  }
  await look(page, 'right-to-left')

  await test.step('the first column is on the right, and arrow keys follow the layout direction', async () => {
    expect((await box('Title')).x).toBeGreaterThan((await box('Amount')).x)
    await cell(page, 2, 2).click({ position: { x: 60, y: 8 } })
    await pressWithVisibleFocus(page, 'ArrowLeft')
    await expect(cell(page, 2, 3)).toBeFocused()
    await pressWithVisibleFocus(page, 'ArrowRight')
    await expect(cell(page, 2, 2)).toBeFocused()
  })

  await test.step('the last column is reachable, and the frozen column remains visible', async () => {
    const frozen = await box('Title')
    await pressWithVisibleFocus(page, 'End')
    await expect(cell(page, 2, 10)).toBeFocused()
    expect(Math.round((await box('Title')).x)).toBe(Math.round(frozen.x))
    expect(await page.locator('.grid-scroller').evaluate((it) => it.scrollLeft)).toBeLessThan(0)
    for (let down = 0; down < 30; down += 1) await page.keyboard.press('ArrowDown')
    await pressWithVisibleFocus(page, 'Home', 'End')
    expect(Math.round((await box('Title')).x)).toBe(Math.round(frozen.x))
    await look(page, 'right-to-left-aside')
    await pressWithVisibleFocus(page, 'Control+Home', 'ArrowLeft', 'ArrowLeft', 'ArrowUp')
    await expect(header('Amount')).toBeFocused()
  })

  await test.step('columns are resized to the left, by keyboard and pointer', async () => {
    const before = await box('Amount')
    await pressWithVisibleFocus(page, 'Shift+ArrowLeft')
    await expect.poll(async () => (await box('Amount')).width).toBe(before.width + 16)
    const { x, y, width } = await box('Amount')
    await page.mouse.move(x + 2, y + 10)
    await page.mouse.down()
    await page.mouse.move(x - 38, y + 10, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => Math.round((await box('Amount')).width)).toBe(Math.round(width + 40))
  })

  await test.step('dragging selects cells', async () => {
    const [from, to] = [await cell(page, 3, 3).boundingBox(), await cell(page, 5, 4).boundingBox()]
    if (!from || !to) throw new Error('The cells are not there.')
    await page.mouse.move(from.x + 10, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width - 10, to.y + 10, { steps: 6 })
    await page.mouse.up()
    await expect(page.locator('.grid-row [aria-selected="true"][data-column]')).toHaveCount(6)
  })
})
