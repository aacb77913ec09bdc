import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

const MESSAGE = 'A booking ends on or after its start.'

const BOOKINGS: readonly (readonly [title: string, start: string | null, end: string | null])[] = [
  ['Boat', '2026-03-01', '2026-03-05'],
  ['Cabin', '2026-03-02', '2026-03-02'],
  ['Sauna', '2026-03-04', '2026-03-01'],
  ['Tent', '2026-03-04', null],
]

/** Creates a collection of bookings; returns the path of the first one. */
async function makeBookings(url: string, name: string): Promise<string> {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/collections', {
    label: name,
    name,
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Start', kind: 'date' },
      { label: 'End', kind: 'date' },
      { label: 'Amount', kind: 'number' },
    ],
  })
  const create = BOOKINGS.map(([title, start, end]) => ({ values: { title, start, end } }))
  await ask('POST', `/api/collections/${name}/records/bulk`, { create })
  const { items } = (await ask('GET', `/api/collections/${name}/records?sort=title`)) as {
    readonly items: readonly { readonly id: string }[]
  }
  return `/collections/${name}/${items[0]?.id}`
}

const titles = (page: Page) => page.getByRole('rowheader')
const filterIn = (page: Page): string => new URL(page.url()).searchParams.get('filter') ?? ''
const line = (page: Page, label: string) => page.getByRole('group', { name: `Condition on ${label}` })

test('a filter compares two fields, as conditions and as text', async ({ page, server }) => {
  await makeBookings(server.url, 'stays')
  await signIn(page, ADA)
  await page.goto('/collections/stays')
  await expect(titles(page)).toHaveCount(4)

  await test.step('a condition is switched from a value to another field by keyboard', async () => {
    await page.getByRole('button', { name: 'Filter' }).press('Enter')
    await page.getByRole('button', { name: 'Add condition' }).press('Enter')
    await page.keyboard.type('End')
    await expect(page.getByRole('option', { name: 'End', exact: true })).toBeVisible()
    await page.keyboard.press('Enter')
    await line(page, 'End').getByLabel('Operator').selectOption('is before')
    await line(page, 'End').getByRole('button', { name: 'Compare with a field: End' }).press('Enter')
    await expect(line(page, 'End').getByRole('button', { name: 'Compare with a field: End' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    // Start is the only other date field.
    await expect(line(page, 'End').getByLabel('Field to compare End with')).toHaveValue('Start')
    await expect.poll(() => filterIn(page)).toBe('end < start')
    await expect(titles(page)).toHaveText(['Sauna'])
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('the filter text suggests matching fields and names both types on a mismatch', async () => {
    const panel = page.getByRole('dialog', { name: 'Filter' })
    await panel.getByText('Text', { exact: true }).click()
    const text = panel.getByRole('combobox')
    await text.fill('end >= ')
    await expect(page.getByRole('option', { name: /start/i })).toBeVisible()
    await expect(page.getByRole('option', { name: /amount/i })).toHaveCount(0)
    await text.pressSequentially('st')
    await text.press('Enter')
    await expect(text).toHaveValue('end >= start ')
    await expect(panel.getByText('End is on or after Start')).toBeVisible()
    await text.press('Escape')
    await text.press('Enter')
    await expect(titles(page)).toHaveText(['Boat', 'Cabin'])
    await text.fill('end >= amount')
    await expect(panel.getByText(/“end” contains a date and “amount” a number/)).toBeVisible()
    await text.fill('')
    await text.press('Enter')
    await expect(titles(page)).toHaveCount(4)
  })
})

test('a rule that compares two fields is shown next to both while the user types', async ({ page, server }) => {
  const boat = await makeBookings(server.url, 'rentals')
  await signIn(page, ADA)
  await page.goto('/collections/rentals/settings')
  const section = page.getByRole('region', { name: 'Validation rules' })
  await section.getByRole('button', { name: 'Add a rule' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a rule' })
  const then = dialog.getByRole('group', { name: 'Then require' })
  await then.getByText('Text', { exact: true }).click()
  await then.getByRole('combobox', { name: 'Then require (as text)' }).fill('end >= start')
  await then.getByText('Conditions', { exact: true }).click()
  const hint = dialog.getByText('Records without Start or End also break this rule.')
  await expect(hint).toBeVisible()
  await dialog.getByRole('button', { name: 'Exclude these records' }).click()
  await expect(hint).toBeHidden()
  const compared = dialog.getByLabel('Field to compare End with')
  await expect(compared).toHaveValue('Start')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByLabel('Error message').fill(MESSAGE)
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect(
    section.getByText('When Start is not empty and End is not empty: End is on or after Start'),
  ).toBeVisible()
  await section.getByRole('link', { name: 'Show 1 record that breaks it' }).click()
  await expect(titles(page)).toHaveText(['Sauna'])

  await page.goto(boat)
  await page.getByLabel('Start').fill('2026-03-09')
  await page.getByLabel('Start').press('Tab')
  await expect(page.getByText(MESSAGE)).toHaveCount(2)
  await page.getByLabel('End').fill('2026-03-10')
  await page.getByLabel('End').press('Tab')
  await expect(page.getByText(MESSAGE)).toHaveCount(0)
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
})
