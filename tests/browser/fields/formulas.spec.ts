import { expect } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

test('a formula is written with suggestions, errors at their place and a preview, and shown in the list', async ({
  page,
  server,
}) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Orders',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Price', kind: 'number' },
      { label: 'Quantity', kind: 'number' },
    ],
  })
  await ask('POST', '/api/collections/orders/records', { values: { title: 'Ink', price: 7, quantity: 2 } })
  await signIn(page, ADA)
  await page.goto('/collections/orders/settings')
  await page.getByRole('button', { name: 'Add a field', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add a field' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Total')
  await form.getByRole('combobox', { name: 'Field type' }).click()
  await page.getByRole('option', { name: /^Formula/ }).click()

  const formula = form.getByRole('textbox', { name: 'Formula' })
  await formula.pressSequentially('round(pri')
  await expect(form.getByText('round(value, [decimals])').first()).toBeVisible()
  await form.getByRole('button', { name: /^price/ }).click()
  await expect(formula).toHaveValue('round(price')
  await formula.pressSequentially(' * quantiti, 1)')
  await expect(form.getByText('There is no field “quantiti”. Did you mean “quantity”?')).toBeVisible()
  await expect(form.locator('mark')).toHaveText('quantiti')
  expect(await axeFindings(page)).toEqual([])
  await formula.fill('round(price * quantity, 1)')
  await expect(form.getByText('In the first record: 14')).toBeVisible()
  await form.getByRole('button', { name: 'Add field', exact: true }).click()
  await expect(form).toBeHidden()

  await page.goto('/collections/orders')
  await expect(page.getByRole('gridcell', { name: '14', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Ink' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Total' })).toHaveValue('14')
  await expect(page.getByRole('textbox', { name: 'Total' })).toHaveAttribute('readonly', '')

  await page.goto('/collections/orders/settings')
  await page.getByRole('button', { name: /^Edit Quantity/ }).click()
  const quantity = page.getByRole('dialog', { name: 'Field Quantity' })
  await quantity.getByText('Advanced').click()
  await quantity.getByRole('checkbox', { name: 'Calculate the default value' }).check()
  const start = quantity.getByRole('textbox', { name: 'Default value' })
  await start.fill('title')
  await expect(quantity.getByText('The result must be a number, not a text.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await start.fill('price * 10')
  await quantity.getByRole('button', { name: 'Save field', exact: true }).click()
  await expect(quantity).toBeHidden()
  const pen = await ask('POST', '/api/collections/orders/records', { values: { title: 'Pen', price: 3 } })
  expect(pen).toMatchObject({ values: { quantity: 30, total: 90 } })
})
