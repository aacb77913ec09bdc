import { expect } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, permissions: ['clipboard-read', 'clipboard-write'] })

test('several users are invited in two clicks from any page, with links to copy if there is no mail server', async ({
  page,
  browser,
}) => {
  await signIn(page, ADA)
  await page.goto('/account/profile')
  const dialog = page.getByRole('dialog', { name: 'Invite people' })

  await test.step('one click opens the invitation form, and another sends it', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Invite people' }).click()
    await expect(dialog.getByLabel('Email')).toBeFocused()
    await dialog.getByLabel('Email').fill('Mary Ware <mary.ware@example.org>,\nedith@example.org')
    await expect(dialog.getByLabel('Name')).toHaveCount(0)
    await expect(dialog.getByLabel('Role')).toHaveValue('Editor')
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('the form shows what a second role adds to the first', async () => {
    await dialog.getByLabel('Role').click()
    await page.getByRole('option', { name: 'Contributor' }).click()
    await dialog.getByRole('button', { name: 'Add another role' }).click()
    await page.getByRole('menuitem', { name: 'Editor' }).click()
    await expect(dialog.getByText('Editor adds these permissions to those of Contributor:')).toBeVisible()
    await expect(dialog.getByText('Edit records: more records in all collections')).toBeVisible()
    await expect(dialog.getByText('Export records: all collections')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove role Editor' }).click()
    await expect(dialog.getByText('Editor adds these permissions to those of Contributor:')).toBeHidden()
    await dialog.getByRole('button', { name: 'Invite 2 people' }).click()
  })

  await test.step('each invited user gets a link that opens an invitation with a suggested name', async () => {
    const line = dialog.getByRole('listitem').filter({ hasText: 'mary.ware@example.org' })
    await expect(dialog.getByRole('listitem')).toHaveCount(2)
    await line.getByRole('button', { name: 'Copy link' }).click()
    await expect(line.getByText('Copied')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const guest = await (await browser.newContext()).newPage()
    await guest.goto(link)
    await expect(guest.getByLabel('Your name')).toHaveValue('Mary Ware')
    await guest.context().close()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('if one invitation fails, a retry sends only the remaining ones', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Invite people' }).click()
    await dialog.getByLabel('Email').fill('joan@example.org, edith@example.org, rosa@example.org')
    await dialog.getByRole('button', { name: 'Invite 3 people' }).click()
    await expect(dialog.getByText('1 invitation created.')).toBeVisible()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expect(dialog.getByLabel('Email')).toHaveValue('edith@example.org\nrosa@example.org')
    await dialog.getByLabel('Email').fill('rosa@example.org')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect(dialog.getByRole('listitem')).toHaveText([/^joan@example\.org/, /^rosa@example\.org/])
    await expect(dialog.getByRole('button', { name: 'Copy link' })).toHaveCount(2)
  })
})
