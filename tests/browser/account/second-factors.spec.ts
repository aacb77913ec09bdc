import { type BrowserContext, type CDPSession, expect, type Page } from '@playwright/test'
import { generate } from 'otplib'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { accountOf, ADA, fillLogin, signIn, signOut, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'

test.use({ serverSettings: { env: { ...WITH_ADA.env, ...WITH_MOVABLE_CLOCK } } })

/** Adds a virtual authenticator that confirms requests only when the test enables it. */
async function plugIn(context: BrowserContext, page: Page) {
  const devtools: CDPSession = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  const present = (enabled: boolean) =>
    devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return { touch: () => present(true), leave: () => present(false) }
}

/** A rate-limit response. */
const TOO_MANY = {
  code: 'too-many-requests',
  title: 'Too many attempts',
  status: 429,
  detail: 'Wait.',
  requestId: 'r1',
}

const codeInput = (page: Page) => page.getByLabel('Code', { exact: true })
const panel = (page: Page, name: string) => page.getByRole('region', { name })
const alert = (page: Page) => page.getByRole('alert')

async function leaveAndComeBack(page: Page): Promise<void> {
  await signOut(page)
  await page.goto('/login')
}

/** Reads the displayed recovery codes and confirms them. */
async function keepRecoveryCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await dialog.getByLabel('I have saved these codes in a safe place').check()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  return codes
}

test('second factors are set up, used, confirmed and lost without a lockout', async ({
  page,
  context,
  browser,
  server,
}) => {
  test.setTimeout(150_000)
  const clock = clockOf(server)
  let secret = ''
  let codes: string[] = []
  const appCode = () => generate({ secret, epoch: clock.seconds() })

  await test.step('an authenticator app is set up, and recovery codes are shown once', async () => {
    await signIn(page, ADA)
    await page.goto('/account/security')
    await expect(page.getByText('Only a password protects this account')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Set up' }).click()
    await expect(codeInput(page)).toBeFocused()
    await expect(page.getByRole('img', { name: 'Authenticator app code' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    secret = ((await page.locator('.totp-dialog-secret').textContent()) ?? '').replaceAll(' ', '')
    await codeInput(page).fill('123 456')
    await expect(alert(page)).toContainText('Wrong code')
    await codeInput(page).fill(await appCode())
    codes = await keepRecoveryCodes(page)
    await expect(page.getByText('Your account is well protected')).toBeVisible()
    await expect(panel(page, 'Authenticator app').getByText('On', { exact: true })).toBeVisible()
  })

  await test.step('the next sign-in requires an authenticator code, rejects a wrong one and accepts the right one', async () => {
    clock.goOn()
    await leaveAndComeBack(page)
    await fillLogin(page, ADA)
    await expect(codeInput(page)).toBeFocused()
    await expect(codeInput(page)).toHaveAttribute('autocomplete', 'one-time-code')
    expect(await axeFindings(page)).toEqual([])
    await codeInput(page).fill('000000')
    await expect(alert(page)).toContainText('Wrong code')
    await codeInput(page).fill(await appCode())
    await expect(accountOf(page, ADA)).toBeVisible()
  })

  await test.step('a recovery code works only once, in any notation', async () => {
    const [code = ''] = codes
    const enterRecoveryCode = async () => {
      await leaveAndComeBack(page)
      await fillLogin(page, ADA)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(code.toUpperCase().replaceAll('-', ' '))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    await enterRecoveryCode()
    await expect(accountOf(page, ADA)).toBeVisible()
    await enterRecoveryCode()
    await expect(alert(page)).toContainText('was already used')
  })

  await test.step('after the second step expires, the user can start over', async () => {
    clock.goOn()
    await page.getByRole('button', { name: 'Use a code from your app' }).click()
    await codeInput(page).fill(await appCode())
    await expect(alert(page)).toContainText('This sign-in attempt has ended')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(ADA.email)
    await fillLogin(page, ADA)
    await codeInput(page).fill(await appCode())
    await expect(accountOf(page, ADA)).toBeVisible()
    await page.goto('/account/security')
    await expect(panel(page, 'Recovery codes').getByText('9 of 10 left')).toBeVisible()
  })

  const device = await plugIn(context, page)

  await test.step('a passkey is added and is sufficient to sign in', async () => {
    await device.touch()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('My laptop')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await expect(panel(page, 'Passkeys').getByText('My laptop')).toBeVisible()
    // Makes the autofill request fail, so that only the button is tested here.
    await page.route('**/api/auth/passkey/options', (route) => route.fulfill({ status: 429, json: TOO_MANY }), {
      times: 1,
    })
    await leaveAndComeBack(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(accountOf(page, ADA)).toBeVisible()
  })

  await test.step('the browser offers the passkey in the email field', async () => {
    // Chromium's virtual authenticator accepts the autofill request immediately.
    await leaveAndComeBack(page)
    await expect(accountOf(page, ADA)).toBeVisible()
  })

  await test.step('a passkey works as a second step', async () => {
    await device.leave()
    await leaveAndComeBack(page)
    await fillLogin(page, ADA)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    expect(await axeFindings(page)).toEqual([])
    await device.touch()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(accountOf(page, ADA)).toBeVisible()
  })

  await test.step('a sensitive setting requires re-authentication and then continues', async () => {
    clock.goOn()
    await page.goto('/account/security')
    const ask = page.getByRole('dialog', { name: 'Confirm it’s you' })
    const renew = page.getByRole('button', { name: 'Generate new codes' })
    await renew.click()
    await expect(ask).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(ask).toBeHidden()
    await expect(panel(page, 'Recovery codes').getByText('9 of 10 left')).toBeVisible()
    await renew.click()
    await expect(ask.getByText('Your browser will ask')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await ask.getByRole('button', { name: 'Use a code from your app' }).click()
    await codeInput(page).fill(await appCode())
    const renewed = await keepRecoveryCodes(page)
    expect(renewed).not.toEqual(codes)
    await expect(panel(page, 'Recovery codes').getByText('10 of 10 left')).toBeVisible()
    // The re-authentication is still valid (15 minutes).
    await page.getByRole('button', { name: 'Remove My laptop' }).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await expect(page.getByText('Passkey My laptop removed.')).toBeVisible()
    await expect(ask).toBeHidden()
  })

  await test.step('another session is listed and can be revoked', async () => {
    clock.goOn()
    const elsewhere = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })
    const other = await elsewhere.newPage()
    await other.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
    await other.goto('/login')
    await fillLogin(other, ADA)
    await codeInput(other).fill(await appCode())
    await expect(accountOf(other, ADA)).toBeVisible()

    await page.goto('/account/sessions')
    await expect(page.getByText('This device', { exact: true })).toHaveCount(1)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: /^Sign out Chromium/ }).click()
    await expect(page.getByText('Chromium on Linux signed out.')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
    await other.goto('/account/security')
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    clock.goOn()
    await fillLogin(other, ADA)
    await codeInput(other).fill(await appCode())
    await expect(other).toHaveURL(/\/account\/security$/)
    await elsewhere.close()
  })
})
