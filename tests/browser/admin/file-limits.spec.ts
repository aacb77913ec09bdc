import { expect } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

test('an owner limits storage and allowed file types', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Limited',
    name: 'limited',
    fields: [{ label: 'Scans', kind: 'files' }],
  })
  await signIn(page, ADA)

  await test.step('storage usage is shown next to the limit, which can be saved by keyboard', async () => {
    await page.goto('/settings/workspace')
    const limit = page.getByLabel('Storage limit (GB)')
    await expect(page.getByText('Existing files are kept')).toBeVisible()
    await limit.focus()
    await page.keyboard.type('1.5')
    await page.keyboard.press('Enter')
    await expect(page.getByText('of 1.5 GB used')).toBeVisible()
    await limit.scrollIntoViewIfNeeded()
    await lookAt(page, 'storage-limit')
    await limit.fill('')
    await page.keyboard.press('Enter')
    await expect(page.getByText('of 1.5 GB used')).toBeHidden()
  })

  await test.step('file types are selected, the “Documents” group includes PDF, and an invalid type is rejected immediately', async () => {
    await page.goto('/collections/limited/settings')
    await page.getByRole('button', { name: 'Edit Scans' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Documents' }).focus()
    await page.keyboard.press('Space')
    await expect(dialog.getByRole('checkbox', { name: 'PDF' })).toBeChecked()
    await dialog.getByLabel('Other types').fill('dwg')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Use an extension such as .dwg')).toBeVisible()
    await lookAt(page, 'accepted-files')
    await page.keyboard.press('Backspace')
    await dialog.getByRole('switch', { name: 'Remove location data (GPS) from photos' }).focus()
    await page.keyboard.press('Space')
    await dialog.getByRole('button', { name: 'Save field' }).click()
    await expect(dialog).toBeHidden()
    const accept = expect.arrayContaining(['application/pdf', '.pages'])
    expect(await ask('GET', '/api/collections/limited')).toMatchObject({
      fields: [{ options: { stripLocation: true, accept } }],
    })
  })
})
