import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

/** Opens and closes a dialog using the keyboard. */
async function openAndLeave(page: Page, opener: Locator): Promise<void> {
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('closing a dialog returns focus', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', { label: 'Hampers', fields: [{ label: 'Title', kind: 'text' }] })
  await ask('POST', '/api/collections/hampers/records', { values: { title: 'Flour' } })
  await signIn(page, ADA)

  await test.step('focus enters a dialog that loads late, and returns when it closes', async () => {
    const come = Promise.withResolvers<void>()
    await page.route(/assets\/frame-later/, (route) => come.promise.then(() => route.continue()))
    await page.goto('/collections/hampers')
    const opener = page.getByRole('navigation').getByRole('button', { name: 'New collection' })
    await opener.focus()
    await page.keyboard.press('Enter')
    come.resolve()
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  })

  await test.step('focus returns to a button that was re-created with its content', async () => {
    await page.goto('/settings/users')
    const opener = page.getByRole('main').getByRole('button', { name: 'Invite people' })
    await openAndLeave(page, opener)
    await expect(opener).toBeFocused()
  })

  await test.step('focus returns to the menu button if the dialog was opened from a menu', async () => {
    await page.goto('/collections/hampers')
    const menu = page.getByRole('main').getByRole('button', { name: 'More actions for Hampers' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await openAndLeave(page, page.getByRole('menuitem', { name: /Export/ }))
    await expect(menu).toBeFocused()
  })
})
