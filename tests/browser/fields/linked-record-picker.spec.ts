import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: { env: { ...WITH_ADA.env, LOG_LEVEL: 'error' } } })

const TARGETS = 1_040
let record = ''

const place = (at: number) => `Place ${String(at).padStart(4, '0')}`

test.beforeAll(async ({ server }) => {
  test.setTimeout(240_000)
  const { ask } = await asProgram(server.url, ADA)
  const places = await ask('POST', '/api/collections', {
    name: 'harbors',
    label: 'Harbors',
    fields: [{ label: 'Title', kind: 'text' }],
  })
  for (let at = 0; at < TARGETS; at += 40) {
    const some = Array.from({ length: 40 }, (_, next) => place(at + next + 1))
    await Promise.all(some.map((title) => ask('POST', '/api/collections/harbors/records', { values: { title } })))
  }
  const ports = await ask('POST', '/api/collections', {
    name: 'ports',
    label: 'Ports',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Depth', kind: 'number', required: true },
      { label: 'Sea', kind: 'select', options: { choices: [{ name: 'North Sea' }, { name: 'Baltic' }] } },
    ],
  })
  await ask('POST', '/api/collections/ports/records', { values: { title: 'Emden', depth: 12, sea: 'North Sea' } })
  await ask('POST', '/api/collections', {
    name: 'trips',
    label: 'Trips',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'To', name: 'to', kind: 'relation', options: { collection: places['id'] } },
      { label: 'Guide', kind: 'user' },
      { label: 'By', kind: 'relation', options: { collection: ports['id'], many: true } },
    ],
  })
  record = String((await ask('POST', '/api/collections/trips/records', { values: { title: 'North' } }))['id'])
})

const cut = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Showing 1,000 of 1,040. Keep typing to narrow the list.' })
const options = (page: Page) => page.getByRole('option')

test('a linked-record field lists a thousand records, shows that there are more, and finds others by search', async ({
  page,
}) => {
  await signIn(page, ADA)
  await page.goto(`/collections/trips/${record}`)
  const input = page.getByRole('combobox', { name: 'To', exact: true })
  await input.click()
  await expect(options(page)).toHaveCount(1_000)
  await expect(options(page).last()).toHaveAttribute('aria-posinset', '1000')
  await expect(options(page).last()).toHaveAttribute('aria-setsize', '1040')
  await expect(cut(page)).toBeVisible()
  const { height } = (await page.getByRole('listbox').boundingBox()) ?? { height: 0 }
  expect(height).toBeLessThanOrEqual(300)
  expect(await axeFindings(page)).toEqual([])
  await input.fill('1040')
  await expect(options(page)).toHaveText([place(TARGETS), 'Create “1040”'])
  await expect(cut(page)).toBeHidden()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.locator('.dropdown-pill')).toHaveText([place(TARGETS)])
})

test('a linked-record cell lists a thousand records and finds others by search', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/collections/trips')
  await expect(page.getByRole('link', { name: 'North' })).toBeVisible()
  await page.locator('.grid-row [role="gridcell"][data-column="2"]').first().dblclick()
  const editor = page.locator('.cell-editor')
  await expect(editor.getByRole('option').filter({ hasText: 'Place' })).toHaveCount(1_000)
  await expect(cut(page)).toBeVisible()
  const { height } = (await editor.getByRole('listbox').boundingBox()) ?? { height: 0 }
  expect(height).toBeLessThanOrEqual(300)
  expect(await axeFindings(page)).toEqual([])
  await editor.getByRole('combobox').fill('0777')
  await expect(editor.getByRole('option')).toHaveText([place(777), 'Create “0777”'])
})

test("a linked record shows two additional fields, and can be created if it doesn't exist", async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/trips/${record}`)
  const pills = page.locator('.dropdown-pill')
  await test.step('a linked record can be created with only a title', async () => {
    const to = page.getByRole('combobox', { name: 'To', exact: true })
    await to.fill('Zanzibar')
    await page.getByRole('option', { name: 'Create “Zanzibar”' }).click()
    await expect(pills.filter({ hasText: 'Zanzibar' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open Zanzibar' })).toBeVisible()
  })

  await test.step('the form asks for other required fields', async () => {
    const by = page.getByRole('combobox', { name: 'By', exact: true })
    await by.click()
    await expect(options(page)).toHaveText(['EmdenNorth Sea · 12'])
    await by.fill('em')
    await expect(options(page)).toHaveCount(2)
    await by.fill('Emden')
    await expect(options(page)).toHaveCount(1)
    await by.fill('Kiel')
    await page.getByRole('option', { name: 'Create “Kiel”' }).click()
    const dialog = page.getByRole('dialog', { name: 'New record' })
    await expect(dialog.getByLabel('Title')).toHaveValue('Kiel')
    expect(await axeFindings(page)).toEqual([])
    await expect(dialog.getByLabel('Depth')).toBeFocused()
    await page.keyboard.type('9')
    await dialog.getByRole('button', { name: 'Create record' }).click()
    await expect(dialog).toBeHidden()
    await expect(pills.filter({ hasText: 'Kiel' })).toBeVisible()
  })

  await test.step('user managers see email addresses in the user picker', async () => {
    await page.getByRole('combobox', { name: 'Guide' }).click()
    await expect(options(page).first()).toContainText(ADA.email)
  })
  await page.goto('/collections/trips')
  await expect(page.getByRole('link', { name: 'Zanzibar' })).toBeVisible()

  await test.step('a linked record can also be created in a grid cell', async () => {
    await page.locator('.grid-row [role="gridcell"][data-column="2"]').first().dblclick()
    const editor = page.locator('.cell-editor')
    await editor.getByRole('combobox').fill('Mombasa')
    await expect(editor.getByRole('option')).toHaveText(['Create “Mombasa”'])
    await editor.getByRole('option', { name: 'Create “Mombasa”' }).click()
    await expect(page.getByRole('link', { name: 'Mombasa' })).toBeVisible()
  })
})
