import { expect } from '@playwright/test'
import { axeFindingsWithTargets } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, fillLogin, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
test.use({ serverSettings: WITH_ADA })

const NAME = 'ferries'

test.beforeAll(async ({ server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text', required: true },
    { label: 'Line', kind: 'select', options: { choices: [{ name: 'North' }, { name: 'South' }] } },
  ]
  await ask('POST', '/api/collections', { name: NAME, label: 'Ferries', fields })
  await ask('POST', `/api/collections/${NAME}/records`, { values: { title: 'The first boat', line: 'North' } })
})

test('guests are redirected to sign-in and then to the API reference', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto('/api/docs')
  await expect(page).toHaveURL(/\/login/)
  await fillLogin(page, ADA)
  await expect(page).toHaveURL(/\/api\/docs$/)
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible()
})

test('an endpoint is found, tried with the current session, and copied', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/settings/tokens')
  await page.getByRole('link', { name: 'API reference' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Ferries' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search the API reference' }).fill('ferries')
  await expect(page.getByText('5 endpoints', { exact: true })).toBeVisible()

  await test.step('a list request can be filtered by a field of the workspace', async () => {
    const list = page.locator(`[id="${NAME}.list"]`)
    await list.locator('summary').click()
    await expect(list.getByText('invalid-filter')).toBeVisible()
    await expect(list.getByText('line = "North"').first()).toBeVisible()
    await list.getByLabel('filter').fill('line = "North"')
    await list.getByRole('button', { name: 'Send' }).click()
    await expect(list.getByLabel('Response')).toContainText('The first boat')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindingsWithTargets(page)).toEqual([])
    }
    await list.getByLabel('filter').fill('nowhere = 1')
    await list.getByRole('button', { name: 'Send' }).click()
    await expect(list.getByText('There is no field “nowhere” in Ferries.')).toBeVisible()
  })

  await test.step("creating a record is shown as a shell command with the collection's own fields", async () => {
    const create = page.locator(`[id="${NAME}.create"]`)
    await create.locator('summary').click()
    await expect(create.getByLabel('Example body')).toContainText('"line": "North"')
    await create.getByRole('button', { name: 'Copy' }).first().click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`/api/collections/${NAME}/records`)
    expect(copied).toContain('Authorization: Bearer')
    // Write requests can't be sent from the docs.
    await expect(create.getByRole('button', { name: 'Send' })).toHaveCount(0)
  })
})

test('a first-time visitor gets a first response, and search works by keyboard', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/api/docs')
  const begin = page.getByRole('region', { name: 'Getting started' })
  await expect(begin.getByRole('link', { name: 'API tokens' })).toBeVisible()
  await expect(begin.getByLabel('First request')).toContainText(/\/api\/collections\/\w+\/records/)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search the API reference' })).toBeFocused()
  await page.keyboard.type('no such thing')
  await expect(page.getByText('No endpoints match “no such thing”.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(begin).toBeVisible()

  await test.step('an expanded section has its own URL and describes the list endpoint', async () => {
    const list = page.locator(`[id="${NAME}.list"]`)
    await list.locator('summary').click()
    await list.getByRole('link', { name: 'Link to this endpoint' }).click()
    await expect(page).toHaveURL(new RegExp(`#${NAME}.list$`))
    await expect(list.getByRole('heading', { level: 3 })).toContainText(`/api/collections/${NAME}/records`)
    await expect(list.locator('.api-answers').getByText('createdAt', { exact: true })).toBeVisible()
  })
})

test('on a phone, nothing overflows the page, and a link opens one endpoint', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await signIn(page, ADA)
  await page.goto(`/api/docs#${NAME}.update`)
  await expect(page.locator(`[id="${NAME}.update"]`).getByText('Command line')).toBeVisible()
  await expect(page.locator(`[id="${NAME}.update"]`)).toBeInViewport()
  const overflow = await page.evaluate(() => {
    const main = document.querySelector('#main')
    return (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0)
  })
  expect(overflow).toBe(0)
  expect(await axeFindingsWithTargets(page)).toEqual([])
})
