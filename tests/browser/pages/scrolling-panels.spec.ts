import { expect } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

// Panels taller than the window must be scrollable with the keyboard.
test.use({
  serverSettings: WITH_ADA,
  viewport: { width: 1440, height: 600 },
})

const FIELDS = Array.from({ length: 30 }, (_, at) => ({ label: `Part ${at}`, kind: 'text' }))

test('scrollable panels scroll by keyboard', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const options = { choices: [{ name: 'Open' }, { name: 'Closed' }] }
  const made = await ask('POST', '/api/collections', {
    label: 'Cartons',
    fields: [{ label: 'Title', kind: 'text' }, { label: 'Status', kind: 'state', options }, ...FIELDS],
  })
  const fields = made['fields'] as readonly {
    readonly name: string
    readonly id: string
    readonly options: { readonly choices?: readonly { readonly id: string }[] }
  }[]
  const [open, closed] = fields.find(({ name }) => name === 'status')?.options.choices ?? []
  const transitions = [
    { name: 'Close', from: open?.id, to: closed?.id },
    { name: 'Reopen', from: closed?.id, to: open?.id },
  ]
  const rules = Array.from({ length: 12 }, (_, at) => ({
    when: `part${at} is not empty`,
    then: 'title != "bad"',
    message: `Part ${at} must not be bad in any of the parcels that were sent`,
  }))
  await ask('PATCH', '/api/collections/cartons', { workflow: { transitions }, rules })
  const create = Array.from({ length: 12 }, (_, at) => ({ values: { title: `Parcel ${at}`, [`part${at}`]: 'x' } }))
  await ask('POST', '/api/collections/cartons/records/bulk', { create })
  const { items } = await ask('GET', '/api/collections/cartons/records')
  const [first] = items as readonly { readonly id: string }[]
  for (let at = 0; at < 24; at += 1) {
    const to = at % 2 === 0 ? 'Closed' : 'Open'
    await ask('POST', `/api/collections/cartons/records/${first?.id}/transitions`, { to })
  }
  for (let at = 0; at < 12; at += 1) {
    await ask('POST', '/api/collections/cartons/views', { name: `A view with a long name ${at}`, isShared: true })
  }
  await signIn(page, ADA)

  await test.step('the view menu scrolls by keyboard', async () => {
    await page.goto('/collections/cartons')
    await page.getByRole('link', { name: 'A view with a long name 3' }).click()
    await page.getByRole('button', { name: /More actions for view/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })
  await test.step('columns', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    const panel = await page.locator('.tool-panel').boundingBox()
    expect((panel?.y ?? 0) + (panel?.height ?? 0)).toBeLessThanOrEqual(600)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })
  await test.step('the bulk edit panel scrolls by keyboard', async () => {
    await page.goto('/collections/cartons?perPage=20')
    await expect(page.getByRole('grid')).toContainText('Parcel 11')
    await page.getByRole('checkbox', { name: 'Select all records on this page' }).click()
    await page
      .getByRole('group', { name: /selected$/ })
      .getByRole('button', { name: 'Edit' })
      .click()
    const dialog = page.getByRole('dialog', { name: /^Edit / })
    await dialog.getByRole('combobox', { name: 'Field' }).click()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('option', { name: 'Title', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Title' }).fill('bad')
    await dialog.getByRole('button', { name: /^Update \d+ records$/ }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })
  await test.step('a record with a long status history scrolls by keyboard', async () => {
    await page.goto(`/collections/cartons/${first?.id}`)
    await page.getByRole('button', { name: 'Show history' }).click()
    await expect(page.getByRole('heading', { name: 'History' })).toBeAttached()
    expect(await axeFindings(page)).toEqual([])
  })
  await test.step('help', async () => {
    await page.goto('/collections/cartons')
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    const help = page.getByRole('complementary', { name: 'Help' })
    await expect(help).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    for (const summary of await help.locator('summary').all()) await summary.click()
    expect(await axeFindings(page)).toEqual([])
  })
})
