import { expect } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, locale: 'en-US' })

test('a date can be cleared by keyboard, pasted in any format, and is invalid while incomplete', async ({
  page,
  server,
}) => {
  const { ask } = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Due', kind: 'date' },
    { label: 'Fee', kind: 'number' },
  ]
  await ask('POST', '/api/collections', { label: 'Loans', fields })
  const { id } = await ask('POST', '/api/collections/loans/records', { values: { title: 'Rope', due: '2026-05-04' } })
  await signIn(page, ADA)
  await page.goto(`/collections/loans/${String(id)}`)
  const due = page.getByLabel('Due', { exact: true })
  await expect(due).toHaveValue('2026-05-04')

  await due.focus()
  await page.keyboard.press('Backspace')
  await expect(page.getByText('Enter a complete date.')).toBeVisible()
  await expect(due).toHaveValue('')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Backspace')
  await page.getByLabel('Title', { exact: true }).focus()
  await expect(page.getByText('Enter a complete date.')).toBeHidden()
  const stored = async () => (await ask('GET', `/api/collections/loans/records/${String(id)}`))['values']
  await expect.poll(stored).toMatchObject({ title: 'Rope', due: null })

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText('24.12.2026'))
  await due.focus()
  await page.keyboard.press('Control+v')
  await expect(due).toHaveValue('2026-12-24')
  await page.getByLabel('Fee', { exact: true }).fill('3.946,50 €')
  await page.keyboard.press('Enter')
  await expect.poll(stored).toMatchObject({ due: '2026-12-24', fee: 3946.5 })
})
