import { type BrowserContext, expect, type Page } from '@playwright/test'
import { generate } from 'otplib'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  accountOf,
  ADA,
  asProgram,
  fillLogin,
  GRACE,
  inviteGrace,
  signIn,
  WITH_ADA,
} from '#tests/support/browser/session-page.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'

test.use({ serverSettings: { env: { ...WITH_ADA.env, ...WITH_MOVABLE_CLOCK } } })

/** A virtual authenticator that confirms every request. */
async function plugIn(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const SHORT = 'kX8#fq-W'
const panel = (page: Page, name: string) => page.getByRole('region', { name })

async function keepRecoveryCodes(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await dialog.getByLabel('I have saved these codes in a safe place').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
}

test('second factors are renamed and removed, and other devices are signed out', async ({ page, context, server }) => {
  test.setTimeout(120_000)
  await inviteGrace(server)
  await signIn(page, GRACE)
  await page.goto('/account/security')
  await plugIn(context, page)
  const passkeys = panel(page, 'Passkeys')

  await test.step('adding a second factor offers to sign out other devices', async () => {
    await asProgram(server.url, GRACE)
    await asProgram(server.url, GRACE)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await keepRecoveryCodes(page)
    await expect(passkeys.getByRole('status')).toContainText('You’re still signed in on 2 other devices.')
    expect(await axeFindings(page)).toEqual([])
    await passkeys.getByRole('button', { name: 'Sign out other devices' }).press('Enter')
    const done = passkeys.getByRole('status')
    await expect(done).toContainText('Signed out 2 other devices.')
    await expect(done).toBeFocused()
    await page.goto('/account/sessions')
    await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
    await page.goto('/account/security')
  })

  await test.step('a passkey is renamed in place by keyboard', async () => {
    const rename = passkeys.getByRole('button', { name: 'Rename Laptop' })
    await rename.press('Enter')
    const name = passkeys.getByRole('textbox', { name: 'New name for Laptop' })
    await expect(name).toBeFocused()
    expect(await axeFindings(page)).toEqual([])
    await name.press('Escape')
    await expect(rename).toBeFocused()
    await rename.press('Enter')
    await name.fill('   ')
    await expect(passkeys.getByRole('button', { name: 'Save' })).toBeDisabled()
    await name.fill('The key on my desk')
    await name.press('Enter')
    await expect(passkeys.getByRole('button', { name: 'Rename The key on my desk' })).toBeFocused()
    await page.reload()
    await expect(passkeys.getByText('The key on my desk')).toBeVisible()
  })

  await test.step("a user with a short password must have a second factor and can't remove it", async () => {
    await page.getByRole('button', { name: 'Change password', exact: true }).click()
    await page.getByLabel('Current password').fill(GRACE.password)
    await page.getByLabel('New password').fill(SHORT)
    await page.getByRole('button', { name: 'Change password', exact: true }).click()
    await expect(page.getByText('Password changed.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused()

    const remove = async () => {
      await page.getByRole('button', { name: 'Remove The key on my desk' }).click()
      await page.getByRole('button', { name: 'Remove passkey' }).click()
    }
    await remove()
    await expect(passkeys.getByRole('alert')).toContainText('Your password is too short to use without a second factor')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
    await passkeys.getByRole('button', { name: 'Change password first' }).press('Enter')
    await expect(page.getByLabel('Current password')).toBeFocused()
    await page.getByLabel('Current password').fill(SHORT)
    // A password of this length is accepted only with a second factor.
    await page.getByLabel('New password').fill('zK9-vm#Qt2')
    await page.getByRole('button', { name: 'Change password', exact: true }).click()
    await expect(page.getByText('Use at least 15 characters')).toBeVisible()
    await page.getByLabel('New password').fill(`${GRACE.password} again`)
    await page.getByRole('button', { name: 'Change password', exact: true }).click()
    await expect(passkeys.getByRole('alert')).toHaveCount(0)
    await remove()
    await expect(page.getByText('Passkey The key on my desk removed.')).toBeVisible()
  })
})

test("an owner removes a user's second factors after seeing an explanation of the effect", async ({ page, server }) => {
  await inviteGrace(server)
  const { ask } = await asProgram(server.url, GRACE)
  const clock = clockOf(server)
  const { secret } = await ask('POST', '/api/account/factors/totp')
  await ask('PUT', '/api/account/factors/totp', {
    code: await generate({ secret: String(secret), epoch: clock.seconds() }),
  })
  await signIn(page, ADA)
  await page.goto('/settings/users')
  const line = page.getByRole('listitem').filter({ hasText: GRACE.email })
  await expect(line).toContainText('second factor')
  const open = page.getByRole('button', { name: `Actions for ${GRACE.name}` })
  clock.goOn()
  await open.press('Enter')
  await page.getByRole('menuitem', { name: 'Remove second factors' }).click()
  const sure = page.getByRole('dialog', { name: `Remove ${GRACE.name}’s second factors` })
  await expect(sure).toContainText('We’ll notify them by email.')
  expect(await axeFindings(page)).toEqual([])
  await sure.getByRole('button', { name: 'Remove second factors' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Password', { exact: true }).fill(ADA.password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(`${GRACE.name}’s second factors removed.`)).toBeVisible()
  await expect(line).toContainText('no second factor')
  await open.click()
  await expect(page.getByRole('menuitem', { name: 'Deactivate' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Remove second factors' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.goto('/settings/outbox')
  const message = page.getByRole('group').filter({ hasText: GRACE.email }).first()
  await message.getByText('Security notice for your Dossier account').click()
  await expect(message).toContainText('You can sign in with')
  await page.goto('/settings/audit')
  await expect(page.getByText(`${ADA.name} removed ${GRACE.name}’s second factors`)).toBeVisible()

  await page.goto('/logout')
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
  await page.goto('/login')
  await fillLogin(page, GRACE)
  await expect(accountOf(page, GRACE)).toBeVisible()
})
