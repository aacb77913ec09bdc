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
  await ask('POST', '/api/collections', {
    name: 'trips',
    label: 'Trips',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'To', name: 'to', kind: 'relation', options: { collection: places['id'] } },
      { label: 'Guide', kind: 'user' },
    ],
  })
  record = String((await ask('POST', '/api/collections/trips/records', { values: { title: 'North' } }))['id'])
})

const cut = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Showing 1,000 of 1,040. Keep typing to narrow the list.' })
const options = (page: Page) => page.getByRole('option')

test('a linked-record field lists a thousand records, says so, and finds the rest by search', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto(`/collections/trips/${record}`)
  const input = page.getByRole('combobox', { name: 'To', exact: true })
  await input.click()
  await expect(options(page)).toHaveCount(1_000)
  await expect(cut(page)).toBeVisible()
  const { height } = (await page.getByRole('listbox').boundingBox()) ?? { height: 0 }
  expect(height).toBeLessThanOrEqual(300)
  expect(await axeFindings(page)).toEqual([])
  await input.fill('1040')
  await expect(options(page)).toHaveText([place(TARGETS)])
  await expect(cut(page)).toBeHidden()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.locator('.dropdown-pill')).toHaveText([place(TARGETS)])
})

test('so does a cell of the grid', async ({ page }) => {
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
  await expect(editor.getByRole('option')).toHaveText([place(777)])
})
