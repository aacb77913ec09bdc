import { type Browser, expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { accountOf, ADA, fillLogin, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'

// Uses its own server, so that no other test adds roles to the menu.
test.use({ serverSettings: { ...WITH_ADA } })

const HEDY = { name: 'Hedy Lamarr', email: 'hedy@example.org', password: 'frequencies hop like crickets' }
const NEW_PASSWORD = 'torpedoes listen to pianos'

/** Opens a page for another user, in a new browser context. */
async function anotherPerson(browser: Browser, server: StartedServer): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  return page
}

/** The link in the newest email with this subject, found in the outbox. */
async function linkOfEmail(owner: Page, subject: string): Promise<string> {
  const message = owner.getByRole('group').filter({ hasText: subject }).first()
  // The email is sent after the response; the page shows it without a reload.
  await owner.goto('/settings/outbox')
  await expect(message).toBeVisible()
  await message.getByText(subject).click()
  expect(await axeFindings(owner)).toEqual([])
  const text = (await message.locator('pre').textContent()) ?? ''
  return /https?:\S+/.exec(text)?.[0] ?? ''
}

test('a user is invited, joins, gets another role, forgets the password and returns', async ({
  page,
  browser,
  server,
}) => {
  test.setTimeout(120_000)
  const guest = await anotherPerson(browser, server)

  await test.step('an owner invites a user and copies the link', async () => {
    await signIn(page, ADA)
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'People' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Invite people' }).click()
    await page.getByLabel('Email').fill(HEDY.email)
    await page.getByLabel('Name').fill(HEDY.name)
    await expect(page.getByRole('dialog').getByLabel('Role')).toHaveValue('Editor')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: HEDY.email })).toContainText('Invited')
    await guest.goto(await linkOfEmail(page, 'Your invitation'))
  })

  await test.step('the invited user sets a password and is signed in immediately', async () => {
    await expect(guest.getByText(HEDY.email)).toBeVisible()
    expect(await axeFindings(guest)).toEqual([])
    const link = guest.url()
    await guest.getByLabel('Password', { exact: true }).fill('too short')
    await guest.getByRole('button', { name: 'Join workspace' }).click()
    await expect(guest.getByRole('alert')).toContainText('Use at least 15 characters')
    await guest.getByLabel('Password', { exact: true }).fill(HEDY.password)
    await guest.getByRole('button', { name: 'Join workspace' }).click()
    await expect(accountOf(guest, HEDY)).toBeVisible()
    const stranger = await anotherPerson(browser, server)
    await stranger.goto(link)
    await expect(stranger.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible()
    await stranger.context().close()
  })

  await test.step("forbidden pages show that access is denied and aren't in the navigation", async () => {
    await expect(guest.getByRole('link', { name: 'Settings' })).toHaveCount(0)
    for (const path of ['/settings/users', '/settings/outbox', '/settings/audit', '/settings/workspace']) {
      await guest.goto(path)
      await expect(guest.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
    }
    expect(await axeFindings(guest)).toEqual([])
  })

  await test.step('a user changes their display name', async () => {
    await guest.goto('/account/profile')
    await guest.getByLabel('Name').fill('Hedwig Kiesler')
    await guest.getByRole('button', { name: 'Save name' }).click()
    await expect(accountOf(guest, { ...HEDY, name: 'Hedwig Kiesler' })).toBeVisible()
  })

  await test.step('an owner changes an editor to a viewer', async () => {
    await page.goto('/settings/users')
    await page.getByRole('button', { name: 'Actions for Hedwig Kiesler' }).click()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('menuitemradio', { name: /^Viewer/ }).click()
    await expect(page.getByRole('listitem').filter({ hasText: HEDY.email })).toContainText('Viewer')
    await guest.reload()
    await expect(guest.getByText('View records')).toBeVisible()
    await expect(guest.getByText('Edit records')).toHaveCount(0)
  })

  await test.step('a forgotten password is reset by email, which ends every session', async () => {
    const lost = await anotherPerson(browser, server)
    await lost.goto('/login')
    await lost.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(lost.getByRole('heading', { name: 'Reset password' })).toBeVisible()
    await lost.getByLabel('Email').fill(HEDY.email)
    expect(await axeFindings(lost)).toEqual([])
    await lost.getByRole('button', { name: 'Send link' }).click()
    await expect(lost.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    await lost.goto(await linkOfEmail(page, 'Reset your Dossier password'))
    await lost.getByLabel('New password').fill(NEW_PASSWORD)
    expect(await axeFindings(lost)).toEqual([])
    await lost.getByRole('button', { name: 'Save new password' }).click()
    await lost.getByRole('link', { name: 'Sign in' }).click()
    await fillLogin(lost, { ...HEDY, password: NEW_PASSWORD })
    await expect(accountOf(lost, { ...HEDY, name: 'Hedwig Kiesler' })).toBeVisible()
    await guest.goto('/account/sessions')
    await expect(guest.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await lost.context().close()
  })

  await test.step('an owner reads the audit log', async () => {
    await page.goto('/settings/audit')
    await expect(page.getByText('ada invited Hedwig')).toBeVisible()
    await expect(page.getByText('ada changed Hedwig Kiesler’s roles')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('a deactivated user is signed out, and undo reactivates the user', async () => {
    await page.goto('/settings/users')
    await page.getByRole('button', { name: 'Actions for Hedwig Kiesler' }).click()
    await page.getByRole('menuitem', { name: 'Deactivate' }).click()
    const line = page.getByRole('listitem').filter({ hasText: HEDY.email })
    await expect(line).toContainText('Deactivated')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(line).not.toContainText('Deactivated')
  })
  await guest.context().close()
})

test('a token is created with limited permissions, shown once, changed and revoked', async ({ page, server }) => {
  await signIn(page, ADA)
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'API tokens' }).click()
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('Nightly export')
  await page.getByLabel('Export records').check()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = (await page.locator('.token-dialog-token').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Nightly export' })
  await expect(line).toContainText('View records · Export records')

  const ask = (path: string) => fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  expect((await ask('/api/collections')).status).toBe(200)
  expect((await ask('/api/users')).status).toBe(403)
  await page.getByRole('button', { name: 'Permissions of Nightly export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Permissions of Nightly export' })
  await expect(dialog.getByLabel('Export records')).toBeChecked()
  await dialog.getByLabel('Export records').uncheck()
  await dialog.getByLabel('View audit log').check()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(line).toContainText('View records · View audit log')
  expect((await ask('/api/audit')).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('Token Nightly export revoked.')).toBeVisible()
  expect((await ask('/api/collections')).status).toBe(401)
})

test('too many wrong passwords show a countdown', async ({ page }) => {
  await page.goto('/login')
  const guess = page.getByRole('button', { name: 'Sign in', exact: true })
  const wait = page.getByRole('button', { name: /^Try again in \d+ s$/ })
  await page.getByLabel('Email').fill('nobody@example.org')
  await page.getByLabel('Password', { exact: true }).fill('one two three four five')
  // Retries until enough failed attempts have triggered the countdown.
  await expect(async () => {
    const answer = page.waitForResponse((one) => one.url().endsWith('/api/auth/login'))
    await Promise.all([answer, guess.click({ timeout: 5000 })])
    expect((await answer).status()).toBe(429)
    await expect(wait).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 60_000 })
  expect(await axeFindings(page)).toEqual([])
  await expect(guess).toBeEnabled({ timeout: 30_000 })
})
