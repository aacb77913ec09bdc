import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { accountOf, ADA, fillLogin, noteRequests, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'

test.use({ serverSettings: { env: { ...WITH_ADA.env, ...WITH_MOVABLE_CLOCK } } })

const exactly = (words: string) => new RegExp(`^${words}$`)

const keepBox = (page: Page) => page.getByRole('checkbox', { name: 'Keep me signed in on this device' })

/** The session cookie; `expires` is −1 for a cookie that is deleted when the browser closes. */
const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'dossier_refresh')

/** Closes and reopens the browser, which deletes session cookies. */
async function reopen(browser: Browser, context: BrowserContext, { url }: StartedServer): Promise<BrowserContext> {
  const { cookies, origins } = await context.storageState()
  await context.close()
  const kept = cookies.filter(({ expires }) => expires !== -1)
  return browser.newContext({ baseURL: url, storageState: { cookies: kept, origins } })
}

const aContext = (browser: Browser, { url }: StartedServer) => browser.newContext({ baseURL: url })

test('without “Keep me signed in”, closing the browser signs out', async ({ browser, server }) => {
  await test.step('unchecked: the session survives a reload but ends when the browser is closed', async () => {
    const first = await aContext(browser, server)
    const page = await first.newPage()
    await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
    await page.goto('/login')
    await expect(keepBox(page)).toBeChecked()
    await page.getByText('Keep me signed in on this device').click()
    await expect(keepBox(page)).not.toBeChecked()
    await expect(page.getByText('You’ll be signed out when the browser closes')).toBeVisible()
    expect(await axeFindings(page, [])).toEqual([])
    await fillLogin(page, ADA)
    await expect(accountOf(page, ADA)).toBeVisible()
    expect(await sessionCookie(first)).toMatchObject({ expires: -1, httpOnly: true })
    await page.reload()
    await expect(accountOf(page, ADA)).toBeVisible()
    expect(await sessionCookie(first)).toMatchObject({ expires: -1 })

    const second = await reopen(browser, first, server)
    const later = await second.newPage()
    await later.goto('/account/profile')
    await expect(later.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await second.close()
  })

  await test.step('checked: the session continues after the browser is closed', async () => {
    const first = await aContext(browser, server)
    const page = await first.newPage()
    await signIn(page, ADA)
    const cookie = await sessionCookie(first)
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 3600)
    const second = await reopen(browser, first, server)
    const later = await second.newPage()
    await later.goto('/')
    await expect(accountOf(later, ADA)).toBeVisible()
    await second.close()
  })
})

test('an owner shortens session lifetimes by keyboard, and sees the error and the confirmation', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/settings/workspace')
  const panel = page.getByRole('region', { name: 'Sessions' })
  const kept = panel.getByRole('group', { name: 'With “Keep me signed in”' })
  const other = panel.getByRole('group', { name: 'Without “Keep me signed in”' })
  const save = panel.getByRole('button', { name: 'Save session limits' })
  const idle = kept.getByRole('combobox', { name: 'Idle timeout' })
  await expect(idle).toHaveValue('7 days')
  await expect(save).toBeDisabled()
  expect(await axeFindings(page, [])).toEqual([])

  const choose = async (field: typeof idle, words: string) => {
    await field.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: words, exact: true }).waitFor()
    const selected = page.locator('[role="option"][data-combobox-selected]')
    // The dropdown scrolls to the current value; shorter durations are above it.
    for (let presses = 0; presses < 20 && !(await selected.filter({ hasText: exactly(words) }).count()); presses += 1) {
      await page.keyboard.press('ArrowUp')
    }
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue(words)
  }

  await choose(kept.getByRole('combobox', { name: 'Maximum session length' }), '8 hours')
  await expect(kept.getByText('Must be at most 8 hours, the maximum session length.')).toBeVisible()
  expect(await axeFindings(page, [])).toEqual([])
  const { to } = noteRequests(page)
  await save.click()
  await expect(idle).toBeFocused()
  expect(to('/api/workspace/session-policy')).toEqual([])

  await choose(idle, '1 hour')
  await expect(other.getByText('The shorter limit above also applies here: 1 hour.')).toBeVisible()
  await panel.getByLabel('Maximum sessions per user').fill('5')
  await save.press('Enter')
  await expect(page.getByText('Session limits saved.')).toBeVisible()
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(idle).toHaveValue('1 hour')
  await expect(panel.getByLabel('Maximum sessions per user')).toHaveValue('5')
  await page.goto('/settings/audit')
  await expect(page.getByText('ada changed the session policy')).toBeVisible()
})

test('signing out everywhere requires re-authentication after a while', async ({ page, browser, server }) => {
  const elsewhere = await aContext(browser, server)
  const other = await elsewhere.newPage()
  await signIn(other, ADA)
  await signIn(page, ADA)
  clockOf(server).goOn()
  await page.goto('/account/sessions')
  await test.step("a dialog that can't be loaded blocks no other action, and a reload fixes it", async () => {
    await page.route('**/reauthentication-dialog-*.js', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign out other devices' }).click()
    await expect(page.getByText('A new version is available.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign out other devices' })).toBeEnabled()
    await page.unroute('**/reauthentication-dialog-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByText('A new version is available.')).toBeHidden()
  })
  await page.getByRole('button', { name: 'Sign out other devices' }).click()
  const ask = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(ask).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ask).toBeHidden()
  await other.reload()
  await expect(accountOf(other, ADA)).toBeVisible()

  await page.getByRole('button', { name: 'Sign out other devices' }).click()
  await ask.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('All other devices are signed out.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
  await other.goto('/account/profile')
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await elsewhere.close()

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByText(/signed out/i).first()).toBeVisible()
  await page.goto('/account/profile')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})
