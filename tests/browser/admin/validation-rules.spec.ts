import { expect } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

const MESSAGE = 'Shipped orders need a tracking number.'

async function makeShipments(url: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  const choices = [{ name: 'open' }, { name: 'shipped' }]
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Status', kind: 'select', options: { choices } },
    { label: 'Tracking', kind: 'text' },
    { label: 'Due', kind: 'date' },
  ]
  await ask('POST', '/api/collections', { label: 'Shipments', fields })
  await ask('POST', '/api/collections/shipments/records', { values: { title: 'Old', status: 'shipped' } })
  await ask('POST', '/api/collections/shipments/records', { values: { title: 'New', status: 'open' } })
}

test('an owner adds a validation rule and sees violations; editors see the rule while typing', async ({
  page,
  server,
}) => {
  await makeShipments(server.url)
  await signIn(page, ADA)

  const section = page.getByRole('region', { name: 'Validation rules' })
  await test.step('a rule with two conditions and a message is built by keyboard', async () => {
    await page.goto('/collections/shipments/settings')
    await section.getByRole('button', { name: 'Add a rule' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add a rule' })
    const when = dialog.getByRole('group', { name: 'When', exact: true })
    await when.getByRole('button', { name: 'Add condition' }).press('Enter')
    await expect(when.getByRole('combobox', { name: 'Field' })).toBeFocused()
    await page.keyboard.type('Status')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(when.getByRole('group', { name: 'Condition on Status' })).toBeVisible()
    await when.getByLabel('Value for Status').press('ArrowDown')
    await page.getByRole('option', { name: 'shipped' }).click()

    const then = dialog.getByRole('group', { name: 'Then require' })
    await then.getByText('Text', { exact: true }).click()
    const text = then.getByRole('combobox', { name: 'Then require (as text)' })
    await text.fill('traking is not empty')
    await expect(then.getByText('Did you mean “tracking”?')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add rule' })).toBeDisabled()
    await text.fill('tracking is not empty')
    await then.getByText('Conditions', { exact: true }).click()
    await expect(then.getByRole('group', { name: 'Condition on Tracking' })).toBeVisible()
    await dialog.getByLabel('Error message').fill(MESSAGE)
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('the rule is listed with a link to records that violate it', async () => {
    await expect(section.getByText(MESSAGE)).toBeVisible()
    await expect(section.getByText('When Status is “shipped”: Tracking is not empty')).toBeVisible()
    await section.getByRole('link', { name: 'Show 1 record that breaks it' }).click()
    await expect(page.getByRole('row', { name: /Old/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /New/ })).toHaveCount(0)
  })

  await test.step('a record shows the violation while the user types, and can be saved when valid', async () => {
    await page.goto('/collections/shipments')
    await page.getByRole('link', { name: 'New' }).first().click()
    await page.getByRole('link', { name: 'Open full page' }).click()
    await expect(page.getByRole('grid')).toHaveCount(0)
    await page.getByLabel('Status').click()
    await page.getByRole('option', { name: 'shipped' }).click()
    await expect(page.getByText(MESSAGE)).toBeVisible()
    await expect(page.getByText('Not saved: check the highlighted field').first()).toBeVisible()
    await page.getByLabel('Tracking').fill('T-1')
    await expect(page.getByText(MESSAGE)).toBeHidden()
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Tracking')).toHaveValue('T-1')
  })

  await test.step('the rule is deleted, and undo restores it', async () => {
    await page.goto('/collections/shipments/settings')
    await section.getByRole('button', { name: `Remove rule “${MESSAGE}”` }).click()
    await expect(section.getByRole('listitem')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(section.getByRole('listitem')).toContainText(MESSAGE)
  })
})
