import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { caretSettled } from '#tests/support/browser/editor-page.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.setTimeout(180_000)
test.use({ serverSettings: WITH_ADA })

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'late' }] } },
  { label: 'Region', kind: 'select', options: { choices: [{ name: 'north' }, { name: 'south' }] } },
  { label: 'Paid', kind: 'checkbox' },
  { label: 'Amount', kind: 'number' },
  { label: 'Due', kind: 'date' },
  { label: 'Note', kind: 'long-text' },
]

type Values = { readonly [field: string]: unknown }

async function makeCollection(url: string, label: string, records: readonly Values[]): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  const name = label.toLowerCase()
  await ask('POST', '/api/collections', { label, name, fields: FIELDS })
  for (let at = 0; at < records.length; at += 10_000) {
    const create = records.slice(at, at + 10_000).map((values) => ({ values }))
    await ask('POST', `/api/collections/${name}/records/bulk`, { create })
  }
}

/** Sixteen orders, the first half open. */
const ORDERS: readonly Values[] = Array.from({ length: 16 }, (_, at) => ({
  title: `Order ${String(at + 1).padStart(2, '0')}`,
  status: at < 8 ? 'open' : 'late',
  region: at % 8 < 4 ? 'north' : 'south',
  paid: at % 4 < 2,
  amount: (at + 1) * 10,
  due: at === 15 ? null : `2026-03-${String(at + 1).padStart(2, '0')}`,
  note: 'Bring it to the gate behind the barn, ring twice, and wait until somebody has opened. '.repeat(3),
}))

const grid = (page: Page) => page.locator('.grid-scroller')
const heads = (page: Page) => grid(page).locator('.grid-group')
const head = (page: Page, text: string | RegExp) => heads(page).filter({ hasText: text }).first()
const records = (page: Page) => grid(page).locator('.grid-row:not(.grid-group)')
const header = (page: Page, name: string) => grid(page).locator('.grid-header-cell').filter({ hasText: name })
const focused = (page: Page) => page.locator(':focus')
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const foot = (page: Page, name: string | RegExp) => grid(page).locator('.grid-footer').getByRole('button', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

test('nested groups are navigated and collapsed by keyboard, with summaries', async ({ page, server }) => {
  await makeCollection(server.url, 'Bookings', ORDERS)
  await page.setViewportSize({ width: 1440, height: 1500 })
  await signIn(page, ADA)
  await page.goto('/collections/bookings?group=status,region,paid&perPage=all')

  await test.step('three group levels show counts and positions', async () => {
    await expect(heads(page)).toHaveCount(14)
    const late = head(page, /^late/)
    await expect(late).toHaveAttribute('aria-level', '1')
    await expect(late).toHaveAttribute('aria-posinset', '2')
    await expect(late).toHaveAttribute('aria-setsize', '2')
    const inner = heads(page).nth(2)
    await expect(inner).toHaveText(/^Paid: no2$/)
    await expect(inner).toHaveAttribute('aria-level', '3')
    await expect(inner).toHaveAttribute('aria-rowindex', '4')
    await expect(grid(page)).toHaveAttribute('role', 'treegrid')
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '31')
  })

  await test.step('arrow keys collapse and expand groups and move to the parent', async () => {
    await heads(page).nth(2).getByRole('gridcell').first().focus()
    await press(page, 'ArrowLeft')
    await expect(heads(page).nth(2)).toHaveAttribute('aria-expanded', 'false')
    await expect(records(page)).toHaveCount(14)
    await press(page, 'ArrowLeft')
    await expect(focused(page)).toHaveText(/^north8|^north4/)
    await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
    await expect(head(page, /^open/)).toHaveAttribute('aria-expanded', 'false')
    await expect(focused(page)).toHaveText(/^open8/)
    await press(page, 'ArrowRight')
    await expect(heads(page).nth(1)).toHaveAttribute('aria-expanded', 'false')
  })

  await test.step('collapsing all keeps keyboard focus on the group', async () => {
    await press(page, 'Control+End', 'Shift+ArrowUp', 'ArrowUp')
    await head(page, /^late/).getByRole('gridcell').first().focus()
    await press(page, 'Shift+ArrowLeft')
    await expect(heads(page)).toHaveCount(2)
    await expect(focused(page)).toHaveText(/^late8/)
    await button(page, 'Expand all').click()
    await expect(heads(page)).toHaveCount(14)
    await expect(grid(page).locator('[tabindex="0"]')).toHaveText(/^late8/)
    await button(page, 'Collapse all').click()
    await expect(heads(page)).toHaveCount(2)
    await page.reload()
    await expect(heads(page)).toHaveCount(2)
    await button(page, 'Expand all').click()
  })

  await test.step('column summaries appear in group headers and are reachable by keyboard', async () => {
    await header(page, 'Amount').focus()
    await press(page, 'F2')
    // Hovering opens the submenu, which may cover the item before the click.
    await page.getByRole('menuitem', { name: 'Summary' }).hover()
    await page.getByRole('menuitemradio', { name: 'Sum' }).click()
    await expect(head(page, /^late/)).toContainText('1,000')
    await expect(head(page, /^open/)).toContainText('360')
    await expect(foot(page, 'Amount: Sum 1,360')).toBeVisible()
    await head(page, /^open/).getByRole('gridcell').first().focus()
    await press(page, 'ArrowRight')
    await expect(focused(page)).toHaveText(/Sum\s*360/)
    await press(page, 'ArrowLeft')
    await expect(focused(page)).toHaveText(/^open8/)
  })

  await test.step('a new record can be created inside a group', async () => {
    await records(page).last().getByRole('rowheader').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'New record in this group' }).click()
    const panel = page.getByRole('region', { name: 'Record in Bookings' })
    await expect(panel.getByRole('combobox', { name: 'Status' })).toHaveValue('late')
    await expect(panel.getByRole('combobox', { name: 'Region' })).toHaveValue('south')
    await expect(head(page, /^late/)).toContainText('9')
    await panel.getByRole('button', { name: 'More actions for this record' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(head(page, /^late/)).toContainText(/^late8/)
  })

  await test.step('cell ranges skip group headers', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await records(page).nth(1).getByRole('rowheader').click()
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+c')
    await expect(page.getByText('2 cells copied')).toBeAttached()
    expect((await page.evaluate(() => navigator.clipboard.readText())).trim().split(/\r?\n/)).toHaveLength(2)
  })

  await test.step('a page shows its groups, and collapsed groups stay collapsed', async () => {
    await page.goto('/collections/bookings?group=status,region')
    await expect(records(page)).toHaveCount(10)
    await expect(heads(page)).toHaveCount(5)
    await head(page, /^south/)
      .getByRole('gridcell')
      .first()
      .click()
    await expect(records(page)).toHaveCount(6)
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(heads(page)).toHaveCount(3)
    await expect(records(page)).toHaveCount(6)
  })

  await test.step("jumping into a large group doesn't load the rows before it", async () => {
    const many = Array.from({ length: 6000 }, (_, at): Values => ({ title: `Parcel ${at + 1}`, status: 'open' }))
    await makeCollection(server.url, 'Packets', [...many, { title: 'Last', status: 'late' }])
    const pages: number[] = []
    page.on('request', (request) => {
      const at = /\/packets\/records\?.*page=(\d+)&perPage=100/.exec(request.url())?.[1]
      if (at !== undefined) pages.push(Number(at))
    })
    await page.goto('/collections/packets?group=status&perPage=all')
    await expect(head(page, /^open/)).toContainText('6,000')
    await expect(records(page).first()).toContainText('Parcel 1')
    pages.length = 0
    await grid(page).evaluate((scroller) => {
      scroller.scrollTop = 3000 * 36
    })
    await expect(records(page).filter({ hasText: 'Parcel 3005' })).toBeVisible()
    expect(pages.length).toBeLessThan(8)
    expect(Math.min(...pages)).toBeGreaterThan(25)
    await records(page).filter({ hasText: 'Parcel 3005' }).getByRole('rowheader').click()
    await press(page, 'Control+ArrowDown')
    await expect(focused(page)).toHaveText('Last')
  })
})

test('summaries, colors and row heights apply to the list, are saved in its view and can be discarded', async ({
  page,
  server,
}) => {
  await makeCollection(server.url, 'Bills', ORDERS)
  await signIn(page, ADA)
  await page.goto('/collections/bills?perPage=all')
  await expect(records(page).first()).toBeVisible()

  await test.step('column summaries are selected by keyboard', async () => {
    await button(page, 'Columns').click()
    const panel = page.getByRole('dialog', { name: 'Columns' })
    await panel.getByRole('switch', { name: 'Show summary bar' }).press('Space')
    await press(page, 'Escape')
    await expect(foot(page, 'Title: Records 16')).toBeVisible()
    await records(page).last().getByRole('rowheader').focus()
    await press(page, 'ArrowDown')
    await expect(focused(page)).toHaveClass(/grid-footer-cell/)
    for (const [name, figure] of [
      ['Paid', 'Checked'],
      ['Amount', 'Average'],
      ['Due', 'Latest'],
      ['Note', 'Empty'],
    ] as const) {
      const cell = grid(page)
        .locator('.grid-footer-cell')
        .filter({ has: page.getByRole('button', { name: `Summary of ${name}` }) })
      await cell.focus()
      await press(page, 'Enter')
      await expect(page.getByRole('menuitemradio', { name: 'None' })).toBeFocused()
      await page.getByRole('menuitemradio', { name: figure, exact: true }).press('Enter')
      await expect(page.getByRole('menu')).toHaveCount(0)
      // Focus is on the cell or on its button, depending on the browser.
      const focusedSummary = () =>
        focused(page).evaluate((it) => it.closest('.grid-footer-cell')?.querySelector('button')?.ariaLabel)
      await expect.poll(focusedSummary).toMatch(new RegExp(`^${name}: ${figure}`))
    }
    await expect(foot(page, 'Amount: Average 85')).toBeVisible()
    await expect(foot(page, 'Paid: Checked 8')).toBeVisible()
    await expect(foot(page, 'Due: Latest Mar 15, 2026')).toBeVisible()
    await expect(foot(page, 'Note: Empty 0')).toBeVisible()
  })

  await test.step('summaries are updated by filters and edits', async () => {
    await page.goto(`/collections/bills?perPage=all&filter=${encodeURIComponent('status = "late"')}`)
    await expect(foot(page, 'Amount: Average 125')).toBeVisible()
    await expect(foot(page, 'Title: Records 8')).toBeVisible()
    const cell = records(page).first().locator('[data-column="5"]')
    await cell.click()
    await page.keyboard.type('170')
    await press(page, 'Enter')
    await expect(foot(page, 'Amount: Average 135')).toBeVisible()
  })

  await test.step('one color rule colors rows, and another colors cells, with an icon and text', async () => {
    await page.goto('/collections/bills?perPage=all')
    await button(page, 'Colors').click()
    const panel = page.getByRole('dialog', { name: 'Colors' })
    await panel.getByRole('button', { name: 'Add a rule' }).press('Enter')
    await expect(panel.getByLabel('Apply rule 1 to')).toBeFocused()
    await panel.getByText('Text', { exact: true }).click()
    await panel.getByRole('combobox', { name: /as text/ }).fill('status = "late" && paid = true')
    await press(page, 'Enter')
    await expect(records(page).and(page.locator('[data-hue="red"]'))).toHaveCount(4)
    await panel.getByRole('button', { name: 'Add a rule' }).click()
    await panel.getByLabel('Apply rule 2 to').selectOption({ label: 'Color only Amount' })
    await panel.getByText('Text', { exact: true }).click()
    await panel.getByRole('combobox', { name: /as text/ }).fill('amount > 140')
    await press(page, 'Enter')
    const cells = grid(page).locator('.grid-cell[data-hue="amber"]')
    await expect(cells).toHaveCount(3)
    await expect(cells.first()).toHaveAttribute('aria-description', 'Amount is more than 140')
    await expect(cells.first()).toHaveAttribute('data-sign', '2')
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('the first matching color rule applies, and rules are reordered by keyboard', async () => {
    const panel = page.getByRole('dialog', { name: 'Colors' })
    await panel.getByLabel('Apply rule 2 to').selectOption({ label: 'Color the whole row' })
    await expect(grid(page).locator('.grid-row[data-hue="amber"]')).toHaveCount(2)
    await panel.getByRole('button', { name: /^Move Amount is more/ }).press('ArrowUp')
    await expect(grid(page).locator('.grid-row[data-hue="amber"]')).toHaveCount(3)
    await press(page, 'Escape')
    await expect(panel).toBeHidden()
  })

  await test.step('rows wrap long text, and the last row is reachable', async () => {
    await button(page, 'Columns').click()
    const panel = page.getByRole('dialog', { name: 'Columns' })
    await panel.getByRole('switch', { name: 'Wrap long values' }).press('Space')
    await panel.getByRole('radio', { name: 'Tall' }).press('Space')
    await press(page, 'Escape')
    await expect.poll(async () => (await records(page).first().boundingBox())?.height).toBe(96)
    await records(page).first().getByRole('rowheader').focus()
    await press(page, 'Control+ArrowDown')
    await expect(focused(page)).toContainText('Order 16')
    const bottom = async (name: string) => {
      const box = await page.locator(name).last().boundingBox()
      return (box?.y ?? 0) + (name === '.grid-footer' ? 0 : (box?.height ?? 0))
    }
    expect(await bottom('.grid-row:has(:focus)')).toBeLessThanOrEqual((await bottom('.grid-footer')) + 1)
  })

  await test.step('summaries, colors and row heights are saved in a view, and later changes can be discarded', async () => {
    await page.getByRole('button', { name: /^(?:Save as new|New) view/ }).click()
    const dialog = page.getByRole('dialog', { name: 'New view' })
    await dialog.getByLabel('Name').fill('Late ones')
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await expect(page).toHaveURL(/\?view=[0-9a-z]{26}$/)
    await page.setViewportSize({ width: 1440, height: 2000 })
    await page.reload()
    await expect(grid(page).locator('.grid-row[data-hue="amber"]').first()).toBeVisible()
    await expect.poll(async () => (await records(page).first().boundingBox())?.height).toBe(96)
    await foot(page, 'Amount: Average 90').click()
    await page.getByRole('menuitemradio', { name: 'Largest' }).click()
    await expect(foot(page, 'Amount: Largest 170')).toBeVisible()
    await button(page, 'Discard changes').click()
    await expect(foot(page, 'Amount: Average 90')).toBeVisible()
  })

  await test.step('axe finds no violations in dark mode, forced colors and on a phone', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await expect(grid(page).locator('.grid-row[data-hue]').first()).toBeVisible()
    await page.getByRole('button', { name: /^Colors/ }).click()
    await expect(page.getByRole('dialog', { name: 'Colors' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ forcedColors: 'none' })
    await page.setViewportSize({ width: 375, height: 740 })
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${page.url()}&group=status,region`)
    await expect(heads(page).first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
})

test('columns and their fields are arranged and changed from the column header', async ({ page, server }) => {
  await makeCollection(server.url, 'Duties', ORDERS)
  await signIn(page, ADA)
  await page.goto('/collections/duties')
  await expect(records(page).first()).toBeVisible()
  const widthOf = async (name: string) => Math.round((await header(page, name).boundingBox())?.width ?? 0)
  const names = () => grid(page).locator('.grid-header-cell .grid-header-label').allTextContents()
  const menu = async (name: string, item: string) => {
    await header(page, name).focus()
    await press(page, 'F2')
    await page.getByRole('menuitem', { name: item }).press('Enter')
  }

  const before = await widthOf('Region')
  await header(page, 'Region').focus()
  await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight')
  await expect.poll(() => widthOf('Region')).toBe(before + 32)
  await press(page, 'Control+Shift+f')
  await expect.poll(() => widthOf('Region')).toBeLessThan(before)

  await press(page, 'Control+Shift+ArrowLeft')
  await expect.poll(names).toEqual(['Title', 'Region', 'Status', 'Paid', 'Amount', 'Due', 'Note'])
  await expect(header(page, 'Region')).toBeFocused()

  await menu('Region', 'Freeze columns up to here')
  await expect(grid(page).locator('.grid-header .grid-frozen .grid-header-label')).toHaveText(['Title', 'Region'])
  // The other columns scroll behind the frozen ones until the window is wide enough.
  await page.setViewportSize({ width: 800, height: 900 })
  await grid(page).evaluate((scroller) => scroller.scrollBy(200, 0))
  await expect.poll(() => grid(page).evaluate((scroller) => scroller.scrollLeft)).toBeGreaterThan(50)
  const startOf = (name: string) =>
    grid(page)
      .locator(name)
      .first()
      .evaluate((it) => Math.round(it.getBoundingClientRect().left))
  // Firefox used to move frozen columns one frame after the scroll.
  await caretSettled(page)
  expect(await startOf('.grid-row .grid-frozen')).toBe(await startOf('.grid-header .grid-frozen'))
  expect(await startOf('.grid-row .grid-frozen')).toBe(
    await grid(page).evaluate((scroller) => Math.round(scroller.getBoundingClientRect().left)),
  )
  await page.setViewportSize({ width: 1440, height: 900 })
  await menu('Region', 'Unfreeze columns')
  await expect(grid(page).locator('.grid-header .grid-frozen .grid-header-label')).toHaveCount(0)

  await menu('Status', 'Hide')
  await expect(header(page, 'Status')).toHaveCount(0)
  await button(page, 'Columns').press('Enter')
  const panel = page.getByRole('dialog', { name: 'Columns' })
  await panel.getByRole('checkbox', { name: 'Status' }).press('Space')
  await expect(header(page, 'Status')).toHaveCount(1)
  await panel.getByRole('button', { name: 'Move Note' }).press('ArrowUp')
  await press(page, 'Escape')
  await expect(button(page, 'Columns')).toBeFocused()
  await expect.poll(names).toEqual(['Title', 'Region', 'Status', 'Paid', 'Amount', 'Note', 'Due'])
  await page.reload()
  await expect(records(page).first()).toBeVisible()
  await expect.poll(names).toEqual(['Title', 'Region', 'Status', 'Paid', 'Amount', 'Note', 'Due'])

  const form = page.getByRole('dialog', { name: 'Add a field' })
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await test.step('several fields are inserted next to a column', async () => {
    await menu('Amount', 'Insert right')
    await expect(name).toBeFocused()
    await page.keyboard.type('Tax')
    await form.getByRole('combobox', { name: 'Field type' }).focus()
    // Without a match, Enter must not submit the form with the old type.
    await page.keyboard.type('zzz')
    await press(page, 'Enter', 'ControlOrMeta+a')
    await page.keyboard.type('num')
    await press(page, 'Enter')
    await form.getByRole('textbox', { name: 'Description' }).fill('Without shipping')
    await form.getByRole('button', { name: 'Save and add another' }).press('Enter')
    await expect(name).toHaveValue('')
    await expect(name).toBeFocused()
    await page.keyboard.type('Total')
    await press(page, 'Enter')
    await expect(form).toBeHidden()
    await expect.poll(names).toEqual(['Title', 'Region', 'Status', 'Paid', 'Amount', 'Tax', 'Total', 'Note', 'Due'])
    await expect(header(page, 'Amount').getByRole('button', { name: 'Column Amount' })).toBeFocused()
  })

  await test.step('a field description is shown on the focused header and in its menu', async () => {
    await expect(header(page, 'Total')).toHaveAccessibleDescription('')
    await header(page, 'Amount').focus()
    await press(page, 'ArrowRight')
    await expect(header(page, 'Tax')).toBeFocused()
    await expect(header(page, 'Tax')).toHaveAccessibleDescription('Without shipping')
    await expect(page.getByRole('tooltip', { name: 'Without shipping' })).toBeVisible()
    await press(page, 'F2')
    await expect(page.getByRole('menu').getByText('Without shipping')).toBeVisible()
    await page.getByRole('menuitem', { name: 'Edit field' }).press('Enter')
    const edit = page.getByRole('dialog', { name: 'Field Tax' })
    await edit.getByRole('textbox', { name: 'Description' }).fill('')
    await edit.getByRole('button', { name: 'Save field' }).press('Enter')
    await expect(header(page, 'Tax')).toHaveAccessibleDescription('')
  })

  await test.step('double-clicking renames a column, and a single click still sorts', async () => {
    await header(page, 'Total').dblclick()
    const input = page.getByRole('textbox', { name: 'Rename Total' })
    await expect(input).toBeFocused()
    await page.keyboard.type('Sum')
    await press(page, 'Escape')
    await expect(header(page, 'Total')).toBeFocused()
    await header(page, 'Total').dblclick()
    await page.keyboard.type('Gross')
    await press(page, 'Enter')
    await expect(header(page, 'Gross')).toBeFocused()
    expect(page.url()).not.toContain('sort')
    await header(page, 'Gross').click()
    await expect(page).toHaveURL(/sort=total$/)
  })

  await test.step('a field is edited, duplicated and deleted', async () => {
    await menu('Status', 'Duplicate field')
    await expect(name).toHaveValue('Status copy')
    await press(page, 'Enter')
    await expect(header(page, 'Status copy')).toBeVisible()
    await menu('Status copy', 'Edit field')
    const edit = page.getByRole('dialog', { name: 'Field Status copy' })
    await edit.getByRole('textbox', { name: 'Name', exact: true }).fill('Phase')
    await expect(edit.getByLabel('Name of option 2')).toHaveValue('late')
    await edit.getByRole('textbox', { name: 'Name', exact: true }).press('Enter')
    await expect(header(page, 'Phase')).toBeVisible()
    await menu('Phase', 'Delete field')
    await page.getByRole('dialog', { name: 'Remove Phase' }).getByRole('textbox').fill('Phase')
    await press(page, 'Enter')
    await expect(header(page, 'Phase')).toHaveCount(0)
    await expect.poll(() => grid(page).evaluate((it) => it.contains(document.activeElement))).toBe(true)
  })

  await test.step('the plus button in the header adds a field, and a closed form keeps its draft', async () => {
    await header(page, 'Title').focus()
    await press(page, 'End')
    await expect(page.getByRole('button', { name: 'Add a field' })).toBeInViewport({ ratio: 1 })
    await press(page, 'Enter')
    await expect(name).toBeFocused()
    await page.keyboard.type('Half')
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Escape')
    await expect(form).toBeHidden()
    await expect(page.getByRole('button', { name: 'Add a field' })).toBeFocused()
    await press(page, 'Escape', 'Enter')
    await expect(name).toHaveValue('Half')
    await form.getByRole('button', { name: 'Discard' }).click()
    await expect(name).toHaveValue('')
    await name.fill('Last')
    await press(page, 'Enter')
    await expect(form).toBeHidden()
    await expect(grid(page).locator('.grid-header-cell').last()).toContainText('Last')
  })
})
