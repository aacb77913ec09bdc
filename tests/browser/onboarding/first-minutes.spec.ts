import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'

/** Folder for screenshots of the first-run experience, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']
/** Drawn in the browser; the server only receives pixels. */
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script><circle cx="4" cy="4" r="4" fill="#17594a"/></svg>',
)
const OWNER = { name: 'Vera Lind', email: 'vera@example.org', password: 'seven otters play the violin' }

test.use({ viewport: { width: 1280, height: 800 }, serverSettings: { env: { DOSSIER_SAMPLE: 'no' } } })

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return
  mkdirSync(PICTURES, { recursive: true })
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

test('a newcomer creates the first case within five clicks of setup', async ({ page, server }) => {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  await page.addInitScript(() => {
    const { countClick } = globalThis as unknown as { countClick: () => void }
    addEventListener('click', ({ isTrusted, detail }) => isTrusted && detail > 0 && countClick(), { capture: true })
  })

  await test.step('completes setup', async () => {
    const link = /http:\S+\/setup\?code=\S+/.exec(server.printed())?.[0] ?? ''
    await page.goto(link)
    await page.getByLabel('Your name').fill(OWNER.name)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByLabel('Workspace name').fill('Harbor Office')
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: LOGO })
    await expect(page.getByAltText('Current logo')).toBeVisible()
    await takePicture(page, '1-set-up')
    await page.getByRole('button', { name: 'Create workspace' }).click()
  })

  await test.step('sees the workspace name and logo in the browser tab and the sidebar', async () => {
    await expect(page).toHaveTitle('Home · Harbor Office')
    await expect(page.locator('.sidebar-brand')).toHaveText('Harbor Office')
    await expect(page.locator('.sidebar-brand img')).toHaveJSProperty('naturalWidth', 256)
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /^\/api\/workspace\/logo\?v=/)
  })

  await test.step('sees the options for getting started', async () => {
    await expect(page.getByRole('heading', { name: `Welcome, ${OWNER.name}` })).toBeVisible()
    await takePicture(page, '2-begin')
    await page.getByRole('button', { name: /Start from a template/ }).click()
  })

  const dialog = page.getByRole('dialog', { name: 'Start from a template' })
  await test.step('searches ten templates with previews', async () => {
    await expect(dialog.getByRole('radio')).toHaveCount(10)
    await expect(dialog.getByRole('region', { name: 'Included in “Inspections”' })).toBeVisible()
    await takePicture(page, '3-templates')
    await expect(dialog.getByRole('searchbox', { name: 'Search templates' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await expect(dialog.getByRole('region', { name: 'Included in “CRM”' })).toBeVisible()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('nothing')
    await expect(dialog.getByText(/^No templates match “nothing”/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Use template' })).toBeDisabled()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('ticket')
    await expect(dialog.getByRole('radio')).toHaveCount(1)
    const preview = dialog.getByRole('region', { name: 'Included in “Help desk”' })
    await expect(preview.getByRole('heading', { name: 'Cases' })).toBeVisible()
    await expect(preview.getByText('By status, Board, Mine, and Overdue')).toBeVisible()
    await expect(preview.getByText('In work')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Use “Help desk”' }).click()
  })

  await test.step("sees the template's list, grouped by status", async () => {
    await expect(page.getByRole('heading', { name: 'Cases', level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'The oven timer stops after an hour' })).toBeVisible()
    await takePicture(page, '4-list')
    await page.getByRole('button', { name: 'New record' }).first().click()
  })

  await test.step('creates the first case', async () => {
    await page.getByRole('textbox', { name: 'Subject' }).fill('The door to the archive sticks')
    await page.getByRole('button', { name: 'Create record' }).click()
    await expect(page.getByRole('heading', { name: 'The door to the archive sticks' })).toBeVisible()
    await takePicture(page, '5-first-case')
  })
  expect(clicks).toBeLessThanOrEqual(5)
})

test('a template can be undone as a whole and is still available in “New collection”', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto('/login')
  // The name and logo are visible before any user is signed in.
  await expect(page.locator('.guest-frame-brand')).toHaveText('Harbor Office')
  await expect(page.locator('.guest-frame-brand img')).toHaveJSProperty('naturalWidth', 256)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await test.step('the workspace name and logo can be changed in settings', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const panel = page.getByRole('region', { name: 'Name and logo' })
    await panel.getByLabel('Workspace name').fill('Pilot House')
    await panel.getByRole('button', { name: 'Save name' }).click()
    await expect(page).toHaveTitle('Workspace · Pilot House')
    await panel.getByRole('button', { name: 'Remove' }).click()
    await expect(page.locator('.sidebar-brand img')).toHaveCount(0)
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/favicon.svg')
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') })
    await expect(panel.getByText('This file can’t be opened as an image.')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  })

  const dialog = page.getByRole('dialog', { name: 'Start from a template' })
  const choose = async () => {
    await page.getByRole('button', { name: 'New collection' }).first().click()
    await page.getByRole('button', { name: 'From template' }).click()
    await dialog.getByText('Content calendar').click()
    await dialog.getByLabel('Include sample data').uncheck()
    await dialog.getByRole('button', { name: 'Use “Content calendar”' }).click()
    await expect(page.getByRole('heading', { name: 'Articles', level: 1 })).toBeVisible()
  }
  await choose()
  await expect(page.getByText('No records yet').first()).toBeVisible()
  const toast = page.getByRole('status').filter({ hasText: '“Content calendar” added.' })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Articles' })).toHaveCount(
    0,
  )
  await expect(page).toHaveURL(/\/$/)

  await choose()
  await expect(
    page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Articles' }),
  ).toBeVisible()

  await test.step('past notifications can be read again', async () => {
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitem', { name: 'Recent notifications' }).click()
    const past = page.getByRole('dialog', { name: 'Recent notifications' })
    await expect(past.getByRole('listitem').first()).toContainText('“Content calendar” added.')
    expect(await axeFindings(page)).toEqual([])
    await past.getByRole('button', { name: 'Clear all' }).click()
    await expect(past.getByText('No notifications since you opened this page.')).toBeVisible()
  })
})
