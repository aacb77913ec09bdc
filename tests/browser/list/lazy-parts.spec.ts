import { expect } from '@playwright/test'
import { scriptLoaded, test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

test('lazy-loaded components keep focus and need no network after loading', async ({ page, context }) => {
  await signIn(page, ADA)

  const newCollection = page.getByRole('navigation').getByRole('button', { name: 'New collection' })
  await test.step('a dialog receives focus and returns it when closed', async () => {
    await newCollection.click()
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(newCollection).toBeFocused()
  })

  await test.step('a list panel receives focus and returns it when closed, even right after a page load', async () => {
    await newCollection.click()
    await page.getByRole('dialog').getByLabel('Name').fill('Cases')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Cases' })).toBeVisible()
    await page.reload()
    const view = page.getByRole('button', { name: 'Columns', exact: true })
    await view.click()
    const panel = page.getByRole('dialog', { name: 'Columns' })
    await expect(panel.getByRole('radio', { name: 'Short' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(view).toBeFocused()
  })

  await test.step('the options of a layout are loaded without losing focus', async () => {
    await page.getByRole('button', { name: /^Layout/ }).click()
    const gallery = page.getByRole('dialog', { name: 'Layout' }).getByRole('radio', { name: 'Gallery' })
    await page.route('**/assets/cards-options*', async (route) => {
      await expect(gallery).toBeChecked()
      await expect(gallery).toBeFocused()
      await route.continue()
    })
    await gallery.press('Space')
    await expect(page.getByRole('dialog', { name: 'Layout' }).getByText('Fields per card')).toBeVisible()
    await expect(gallery).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Layout' })).toBeHidden()
  })

  await test.step('a toast appears offline', async () => {
    await scriptLoaded(page, 'toast')
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'New record' }).first().click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await context.setOffline(false)
  })
})

test('text typed before the editors are loaded is kept', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Amount', kind: 'number' },
  ]
  await ask('POST', '/api/collections', { label: 'Sacks', name: 'sacks', fields })
  await ask('POST', '/api/collections/sacks/records', { values: { title: 'Flour', amount: 2 } })
  await signIn(page, ADA)
  const come = Promise.withResolvers<void>()
  await page.route(/assets\/cell-editors/, (route) => come.promise.then(() => route.continue()))
  await page.goto('/collections/sacks')
  await page.getByRole('gridcell', { name: '2', exact: true }).click()
  await page.keyboard.type('77')
  await page.keyboard.press('Enter')
  come.resolve()
  await expect(page.getByRole('gridcell', { name: '77', exact: true })).toBeVisible()
  await expect
    .poll(async () => (await ask('GET', '/api/collections/sacks/records'))['items'])
    .toMatchObject([{ values: { amount: 77 } }])
})
