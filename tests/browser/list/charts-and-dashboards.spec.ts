import { readFile } from 'node:fs/promises'
import { type Download, expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  acceptInvitation,
  ADA,
  asProgram,
  GRACE,
  signIn,
  signOut,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

const ORDERS = [
  ['Roof', 'open', 30, '2026-01-15'],
  ['Attic', 'open', 10, '2026-01-31'],
  ['Well', 'done', 20, '2026-03-01'],
  ['Gate', null, 5, '2026-03-02'],
] as const

async function makePurchases(url: string) {
  const { ask } = await asProgram(url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    {
      label: 'Status',
      kind: 'select',
      options: {
        choices: [
          { name: 'open', color: 'blue' },
          { name: 'done', color: 'green' },
        ],
      },
    },
    { label: 'Amount', kind: 'number' },
    { label: 'Due on', kind: 'date' },
  ]
  await ask('POST', '/api/collections', { label: 'Purchases', name: 'purchases', fields })
  for (const [title, status, amount, dueOn] of ORDERS)
    await ask('POST', '/api/collections/purchases/records', { values: { title, status, amount, dueOn } })
  return ask
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const figure = (page: Page, name: string) => page.getByRole('figure', { name })
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name })

async function choose(page: Page, label: string, option: string): Promise<void> {
  const input = page.getByRole('dialog', { name: 'Layout' }).getByRole('combobox', { name: label })
  await input.click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await expect(input).toHaveValue(option)
}

async function saveShared(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^(?:Save as new|New) view/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New view' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('checkbox', { name: /Share with everyone/ }).check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })).toHaveAttribute(
    'aria-current',
    'page',
  )
}

/** All rows of a chart's table. */
const rowsOf = async (page: Page, name: string): Promise<string[][]> =>
  Promise.all(
    (await figure(page, name).getByRole('row').all()).map(async (row) => row.locator('th, td').allTextContents()),
  )

async function saved(page: Page, name: string, item: string): Promise<Download> {
  await figure(page, name)
    .getByRole('button', { name: `More actions for ${name}` })
    .click()
  const [download] = await Promise.all([page.waitForEvent('download'), menuItem(page, item).click()])
  return download
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a list becomes charts, which are arranged on a shared dashboard', async ({ page, server }) => {
  test.slow()
  const ask = await makePurchases(server.url)
  await acceptInvitation(ask, GRACE, 'viewer')
  await signIn(page, ADA)
  await page.goto('/collections/purchases')

  await test.step('the layout “Chart” starts with a suitable field, and shows the groups of the list', async () => {
    await button(page, 'Layout').click()
    await page.getByRole('dialog', { name: 'Layout' }).getByRole('radio', { name: 'Chart' }).press('Space')
    await expect(figure(page, 'Purchases').getByText('Number of records by Status')).toBeVisible()
    await choose(page, 'Value', 'Sum')
    await expect(figure(page, 'Purchases').getByText('Sum of Amount by Status')).toBeVisible()
  })

  await test.step('options keep their color, and the arrow keys read the values', async () => {
    await page.keyboard.press('Escape')
    const bars = figure(page, 'Purchases').locator('.chart-bar')
    await expect(bars).toHaveCount(3)
    await expect(bars.first()).toHaveAttribute('fill', 'var(--choice-blue-dot)')
    await figure(page, 'Purchases')
      .getByRole('group', { name: /^Bars: Sum of Amount by Status/ })
      .focus()
    await page.keyboard.press('ArrowRight')
    await expect(figure(page, 'Purchases').getByRole('status')).toHaveText('open, 40')
    await page.keyboard.press('End')
    await expect(figure(page, 'Purchases').getByRole('status')).toHaveText('No Status, 5')
    await page.keyboard.press('Escape')
  })

  await test.step('a bar opens the list of its records, by mouse and with Enter, and Back returns to the chart', async () => {
    const rows = page.getByRole('grid', { name: 'Purchases' }).getByRole('row')
    await figure(page, 'Purchases').locator('.chart-bar').first().click()
    await expect(page).toHaveURL(/filter=status\+%3D\+%22open%22/)
    await expect(rows).toHaveCount(3)
    await expect(rows.filter({ hasText: 'Attic' })).toHaveCount(1)
    await page.goBack()
    await figure(page, 'Purchases')
      .getByRole('group', { name: /^Bars: Sum of Amount by Status/ })
      .focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(rows).toHaveCount(2)
    await expect(rows.filter({ hasText: 'Gate' })).toHaveCount(1)
    await page.goBack()
    await expect(figure(page, 'Purchases').locator('.chart-bar')).toHaveCount(3)
  })

  await test.step('the chart follows the filter and the search of the list', async () => {
    await page.getByRole('searchbox', { name: 'Search' }).fill('roof')
    await expect(figure(page, 'Purchases').locator('.chart-bar')).toHaveCount(1)
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing at all')
    await expect(page.getByText('No records to show in this chart')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await expect(figure(page, 'Purchases').locator('.chart-bar')).toHaveCount(3)
  })

  await test.step('it has a table, a CSV file and an image', async () => {
    await saveShared(page, 'By status')
    await figure(page, 'Purchases').getByRole('button', { name: 'More actions for Purchases' }).click()
    await menuItem(page, 'Show table').click()
    expect(await rowsOf(page, 'Purchases')).toEqual([
      ['Status', 'Sum of Amount'],
      ['open', '40'],
      ['done', '20'],
      ['No Status', '5'],
      ['Total', '65'],
    ])
    await figure(page, 'Purchases').getByRole('button', { name: 'More actions for Purchases' }).click()
    await menuItem(page, 'Show chart').click()
    const csv = await saved(page, 'Purchases', 'Download as CSV')
    expect(csv.suggestedFilename()).toBe('Purchases.csv')
    expect(await readFile(await csv.path(), 'utf8')).toBe(
      'Status,Sum of Amount\r\nopen,40\r\ndone,20\r\nNo Status,5\r\nTotal,65\r\n',
    )
    const image = await readFile(await (await saved(page, 'Purchases', 'Download as PNG')).path())
    expect(image.subarray(1, 4).toString()).toBe('PNG')
    expect(image.length).toBeGreaterThan(5_000)
  })

  await test.step('dates are grouped by interval without gaps, and a second field makes series', async () => {
    await button(page, /^Layout/).click()
    await choose(page, 'Chart type', 'Area')
    await choose(page, 'Groups', 'Due on')
    await choose(page, 'Series', 'Status')
    await expect(figure(page, 'Purchases').locator('.chart-area')).toHaveCount(3)
    await saveShared(page, 'Over time')
    await figure(page, 'Purchases').getByRole('button', { name: 'More actions for Purchases' }).click()
    await menuItem(page, 'Show table').click()
    expect(await rowsOf(page, 'Purchases')).toEqual([
      ['Due on', 'open', 'done', 'No Status', 'Total'],
      ['Jan 2026', '40', '0', '0', '40'],
      ['Feb 2026', '0', '0', '0', '0'],
      ['Mar 2026', '0', '20', '5', '25'],
      ['Total', '40', '20', '5', '65'],
    ])
    await expectAccessible(page)
    await figure(page, 'Purchases')
      .getByRole('row', { name: /^Mar 2026/ })
      .getByRole('link', { name: '20', exact: true })
      .click()
    await expect(page.getByRole('grid', { name: 'Purchases' }).getByRole('row')).toHaveText([/Title/, /Well/])
    await page.goBack()
    await expect(figure(page, 'Purchases').locator('.chart-area')).toHaveCount(3)
    await expectAccessible(page)
  })

  await test.step('a single number, a donut and a pivot table show the same groups', async () => {
    await button(page, /^Layout/).click()
    await choose(page, 'Chart type', 'Pivot table')
    await expect(figure(page, 'Purchases').getByRole('row')).toHaveCount(5)
    await choose(page, 'Chart type', 'Donut')
    await expect(figure(page, 'Purchases').locator('.chart-slice')).toHaveCount(3)
    await choose(page, 'Chart type', 'Number')
    await expect(figure(page, 'Purchases').getByRole('img', { name: '65' })).toBeVisible()
    await expect(figure(page, 'Purchases').getByRole('link', { name: '65' })).toHaveAttribute('href', /layout=grid/)
    await saveShared(page, 'Total')
  })

  const views = (await ask('GET', '/api/collections/purchases/views'))['items'] as { id: string; name: string }[]
  const tiles = page.getByRole('main').locator('[data-reorder]')
  const titles = tiles.getByRole('heading', { level: 2 })

  await test.step('a dashboard shows charts and lists', async () => {
    await ask('POST', '/api/collections/purchases/views', { name: 'Open ones', query: { filter: 'status = "open"' } })
    await button(page, 'New dashboard').click()
    const dialog = page.getByRole('dialog', { name: 'New dashboard' })
    await dialog.getByLabel('Name').fill('Overview')
    await dialog.getByRole('button', { name: 'Create dashboard' }).click()
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    for (const name of ['By status', 'Over time', 'Open ones']) {
      await button(page, 'Add view').click()
      const adding = page.getByRole('dialog', { name: 'Add view to dashboard' })
      await adding.getByRole('combobox', { name: 'View' }).click()
      await page.getByRole('option', { name, exact: true }).click()
      await adding.getByRole('button', { name: 'Add', exact: true }).click()
      await expect(titles.filter({ hasText: name })).toBeVisible()
    }
    await expect(titles).toHaveText(['By status', 'Over time', 'Open ones'])
    await expect(tiles.last().getByRole('row')).toHaveText([/Title/, /Roof/, /Attic/])
  })

  await test.step('items are moved by keyboard, and their size is saved', async () => {
    await button(page, 'Move Open ones').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(titles).toHaveText(['Open ones', 'By status', 'Over time'])
    await expect(page.getByText('Open ones moved to position 1 of 3')).toBeAttached()
    await expect(button(page, 'Move Open ones')).toBeFocused()
    await button(page, 'More actions for Over time').click()
    await page.getByRole('menuitemradio', { name: 'Full width' }).click()
    await page.keyboard.press('Escape')
    await expect(tiles.last()).toHaveAttribute('data-width', '12')
    await expect(async () => {
      await page.reload()
      await expect(titles).toHaveText(['Open ones', 'By status', 'Over time'])
      await expect(tiles.last()).toHaveAttribute('data-width', '12')
    }).toPass()
  })

  await test.step('removing an item and deleting the dashboard can be undone', async () => {
    await button(page, 'More actions for By status').click()
    await menuItem(page, 'Remove from dashboard').click()
    await expect(titles).toHaveText(['Open ones', 'Over time'])
    await button(page, 'More actions for Over time').click()
    await page.getByRole('menuitemradio', { name: 'Two thirds' }).click()
    await page.keyboard.press('Escape')
    await button(page, 'Undo').click()
    await expect(titles).toHaveText(['Open ones', 'By status', 'Over time'])
    await expect(tiles.last()).toHaveAttribute('data-width', '8')
    await button(page, 'More actions for Overview').click()
    await menuItem(page, 'Delete').click()
    const sidebar = page.getByRole('region', { name: 'Dashboards' })
    await expect(sidebar.getByRole('link', { name: 'Overview' })).toHaveCount(0)
    await button(page, 'Undo').click()
    await sidebar.getByRole('link', { name: 'Overview' }).click()
    await expect(titles).toHaveText(['Open ones', 'By status', 'Over time'])
  })

  await test.step('a change based on an older version is rejected, and theirs is shown', async () => {
    const id = new URL(page.url()).pathname.split('/').at(-1)
    await ask('PATCH', `/api/dashboards/${id}`, { name: 'Our overview' })
    await button(page, 'More actions for Over time').click()
    await page.getByRole('menuitemradio', { name: 'Tall' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByText('Someone else edited this dashboard in the meantime')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Our overview', level: 1 })).toBeVisible()
    await expect(tiles.last()).toHaveAttribute('data-height', 'medium')
  })

  await test.step('it is accessible in both color schemes, on a desktop and on a phone', async () => {
    await expect(page.locator('.chart-skeleton')).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 800 })
    await expect(tiles.first()).toHaveCSS('grid-column-start', 'span 12')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('changes of a shared dashboard are in the activity, and can be undone there', async () => {
    await page.getByRole('link', { name: 'Our overview' }).click()
    await button(page, 'More actions for Our overview').click()
    await menuItem(page, 'Share with everyone').click()
    await expect(page.getByText(/^Shared by ada$/)).toBeVisible()
    await button(page, 'More actions for Over time').click()
    await menuItem(page, 'Remove from dashboard').click()
    await expect(titles).toHaveText(['Open ones', 'By status'])
    await page.goto('/activity')
    const entry = page.getByRole('listitem').filter({ hasText: 'ada changed the dashboard Our overview' })
    await entry.getByRole('button', { name: 'Undo' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
    await expect(dialog.getByText('The dashboard Our overview will be set back.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await expect(entry.getByText('Undone')).toBeVisible()
    await page.getByRole('region', { name: 'Dashboards' }).getByRole('link', { name: 'Our overview' }).click()
    await expect(titles).toHaveText(['Open ones', 'By status', 'Over time'])
  })

  await test.step('another role sees the shared views, and no name of the others', async () => {
    await expect(page.getByText('Only you can see this item, because its view is private.')).toBeVisible()
    await signOut(page)
    await signIn(page, GRACE)
    await page.getByRole('region', { name: 'Dashboards' }).getByRole('link', { name: 'Our overview' }).click()
    await expect(titles).toHaveText(['Not available', 'By status', 'Over time'])
    await expect(page.getByText('Open ones')).toHaveCount(0)
    await expect(button(page, 'Add view')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Move / })).toHaveCount(0)
    await expect(figure(page, 'By status').locator('.chart-bar')).toHaveCount(3)
  })
  expect(views.map(({ name }) => name).toSorted()).toEqual(['By status', 'Over time', 'Total'])
})
