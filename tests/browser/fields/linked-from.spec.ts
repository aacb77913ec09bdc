import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: { env: { ...WITH_ADA.env, LOG_LEVEL: 'error' } } })

const LINES = 12
let vienna = ''

test.beforeAll(async ({ server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const airports = await ask('POST', '/api/collections', {
    label: 'Airports',
    fields: [{ label: 'Title', kind: 'text' }],
  })
  await ask('POST', '/api/collections', {
    label: 'Lines',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Flights', kind: 'number' },
    ],
  })
  const from = { label: 'From', kind: 'relation', options: { collection: airports['id'] }, reverse: {} }
  await ask('POST', '/api/collections/lines/fields', from)
  vienna = String((await ask('POST', '/api/collections/airports/records', { values: { title: 'Vienna' } }))['id'])
  for (let at = 1; at <= LINES; at += 1)
    await ask('POST', '/api/collections/lines/records', {
      values: { title: `Line ${at}`, flights: at * 10, from: vienna },
    })
  await ask('POST', '/api/collections/lines/records', { values: { title: 'Free line' } })
})

const section = (page: Page) => page.locator('.linked-records')

test('a record lists the first ten records that link to it, and opens all of them as a list', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/airports/${vienna}`)
  await expect(section(page).getByRole('listitem')).toHaveCount(10)
  await expect(section(page).getByRole('listitem').first()).toContainText('Line 1')
  expect(await axeFindings(page)).toEqual([])
  await section(page)
    .getByRole('link', { name: `Open all ${LINES} records as a list` })
    .click()
  await expect(page).toHaveURL(/\/collections\/lines\?filter=/)
  await expect(page.getByRole('link', { name: 'Line 10', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Free line' })).toBeHidden()
})

test('records are linked, created and unlinked from the other side, and unlinking can be undone', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/airports/${vienna}`)
  const all = (count: number) => section(page).getByRole('link', { name: `Open all ${count} records as a list` })
  await expect(all(LINES)).toBeVisible()
  const picker = section(page).getByRole('combobox', { name: 'Link a record to Lines' })
  await picker.fill('Free')
  await page.getByRole('option', { name: 'Free line' }).click()
  await expect(all(LINES + 1)).toBeVisible()
  await picker.fill('Night line')
  await page.getByRole('option', { name: 'Create “Night line”' }).click()
  await expect(all(LINES + 2)).toBeVisible()
  await section(page).getByRole('button', { name: 'Unlink Line 1', exact: true }).click()
  await expect(all(LINES + 1)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(all(LINES + 2)).toBeVisible()
})

test('a cell shows the first linked records and how many more there are', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/collections/airports')
  const row = page.locator('.grid-row').filter({ hasText: 'Vienna' })
  await expect(row.getByRole('link', { name: 'Line 2', exact: true })).toBeVisible()
  await expect(row.locator('.cell-more')).toHaveText(/^\+\d+$/)
})

test('a new linked record field is also shown in the linked collection', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/collections/lines/settings')
  await page.getByRole('button', { name: 'Add a field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('To')
  await dialog.getByRole('combobox', { name: 'Field type' }).click()
  await page.getByRole('option', { name: /^Linked record/ }).click()
  await dialog.getByRole('combobox', { name: 'Linked collection' }).click()
  await page.getByRole('option', { name: 'Airports' }).click()
  await expect(dialog.getByLabel('Also show the links in Airports')).toBeChecked()
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await page.goto(`/collections/airports/${vienna}`)
  await expect(section(page)).toHaveCount(2)
})

test('lists the chosen columns, and shows them below the titles on a phone', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/collections/airports/settings')
  await page.getByRole('button', { name: 'Edit Lines Linked from' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Columns' }).click()
  await page.getByRole('option', { name: 'Flights' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Save field' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`/collections/airports/${vienna}`)
  const header = section(page).locator('.linked-header').first()
  await expect(header).toHaveText(/Title\s*Flights/)
  await expect(section(page).getByRole('listitem').first()).toContainText('10')
  await page.setViewportSize({ width: 375, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(header).toBeHidden()
  await expect(section(page).getByRole('listitem').first().getByText('Flights', { exact: true })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})

test('a record that can be linked only once shows a single record, and can’t be linked twice', async ({
  page,
  server,
}) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', { label: 'Licenses', fields: [{ label: 'Title', kind: 'text' }] })
  await signIn(page, ADA)
  await page.goto('/collections/licenses/settings')
  await page.getByRole('button', { name: 'Add a field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Airport')
  await dialog.getByRole('combobox', { name: 'Field type' }).click()
  await page.getByRole('option', { name: /^Linked record/ }).click()
  await dialog.getByRole('combobox', { name: 'Linked collection' }).click()
  await page.getByRole('option', { name: 'Airports' }).click()
  await dialog.getByRole('checkbox', { name: 'Each record can be linked only once' }).check()
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await expect(dialog).toBeHidden()
  await ask('POST', '/api/collections/licenses/records', { values: { title: 'First', airport: vienna } })
  const second = await ask('POST', '/api/collections/licenses/records', { values: { title: 'Second' } })

  await page.goto(`/collections/airports/${vienna}`)
  const license = section(page).filter({ hasText: 'Licenses' })
  await expect(license.getByRole('listitem')).toHaveText(/^First/)
  await expect(license.getByRole('combobox')).toBeHidden()

  await page.goto(`/collections/licenses/${String(second['id'])}`)
  await page.getByRole('combobox', { name: 'Airport' }).fill('Vien')
  await page.getByRole('option', { name: 'Vienna' }).click()
  await expect(
    page.getByText('“First” already links to this record, and Airport can link to each record only once.'),
  ).toBeVisible()
})
