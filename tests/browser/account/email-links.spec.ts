import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { accountOf, ADA, asProgram, noteRequests, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'

test.use({ serverSettings: { env: { ...WITH_ADA.env, ...WITH_MOVABLE_CLOCK } } })

const MARIE = { name: 'Marie Curie', email: 'marie@example.org', password: 'radium glows in the shed' }

type SentEmail = { readonly to: string; readonly text: string }

/** The link in the newest email to an address. */
async function newestLink(url: string, to: string): Promise<string> {
  const { ask } = await asProgram(url, ADA)
  let link = ''
  await expect(async () => {
    const { items } = await ask('GET', '/api/outbox')
    // The outbox response as declared by its endpoint.
    const message = (items as SentEmail[]).find((one) => one.to === to && one.text.includes('?code='))
    link = /https?:\S+/.exec(message?.text ?? '')?.[0] ?? ''
    expect(link).not.toBe('')
  }).toPass()
  return link
}

const invite = async (url: string, { email, name }: typeof MARIE) => {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/users', { email, name, roles: ['viewer'] })
}

const already = (page: Page) => page.getByRole('dialog', { name: 'You’re already signed in' })

/** Everything a tab stores besides the page content: storage, history state and URL. */
const keptText = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href]))

test('a signed-in user who opens an invitation can stay signed in or sign out to continue', async ({
  page,
  server,
}) => {
  await invite(server.url, MARIE)
  const link = await newestLink(server.url, MARIE.email)
  const code = new URL(link).searchParams.get('code') ?? ''
  await signIn(page, ADA)

  await page.goto(link)
  await expect(already(page)).toContainText(`You opened an invitation for ${MARIE.email}.`)
  await expect(already(page)).toContainText(`This browser is signed in as ${ADA.name} (${ADA.email})`)
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('button', { name: 'Stay signed in' })).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  expect(await keptText(page)).not.toContain(code)
  await page.keyboard.press('Escape')
  await expect(already(page)).toBeHidden()
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await page.goBack()
  await expect(already(page)).toBeHidden()

  await page.goto(link)
  await already(page).getByRole('button', { name: 'Sign out and continue' }).press('Enter')
  await expect(page.getByText(MARIE.email)).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(MARIE.password)
  await page.getByRole('button', { name: 'Join workspace' }).click()
  await expect(accountOf(page, MARIE)).toBeVisible()
  // The link can't be used while signed in as another user.
  await expect(already(page)).toBeHidden()
  expect(await keptText(page)).not.toContain(code)

  await page.goto(link)
  await expect(already(page)).toContainText('an invitation that is no longer valid')
  await expect(already(page).getByRole('button', { name: 'Sign out and continue' })).toHaveCount(0)
  await already(page).locator('.link-dialog-actions').getByRole('button', { name: 'Close' }).click()
  await expect(accountOf(page, MARIE)).toBeVisible()
})

test('a signed-in user who opens a reset link can continue', async ({ page, server }) => {
  await signIn(page, ADA)
  await fetch(`${server.url}/api/auth/password-reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADA.email }),
  })
  const link = await newestLink(server.url, ADA.email)
  await page.goto(link)
  await expect(already(page)).toContainText('You opened a password reset link.')
  await already(page).getByRole('button', { name: 'Sign out and continue' }).click()
  await expect(page.getByRole('heading', { name: 'Create a new password' })).toBeVisible()
  await page.getByLabel('New password').fill(ADA.password)
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
})

test('the outbox explains unsent emails, refreshes automatically and requires re-authentication when needed', async ({
  page,
  server,
}) => {
  const pierre = { ...MARIE, name: 'Pierre Curie', email: 'pierre@example.org' }
  const irene = { ...MARIE, name: 'Irène Curie', email: 'irene@example.org' }
  const emailTo = ({ email }: typeof MARIE) => page.getByRole('group').filter({ hasText: email })
  await signIn(page, ADA)
  await page.goto('/settings/outbox')
  await expect(page.getByText('No mail server configured, so emails aren’t sent')).toBeVisible()

  await invite(server.url, pierre)
  await expect(emailTo(pierre)).toContainText('Not sent', { timeout: 8000 })
  await expect(emailTo(pierre)).toContainText('no mail server; copy the link and share it')
  await expect(page.getByText('Pending', { exact: true })).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])

  // An open email stays open while new ones arrive.
  await emailTo(pierre).getByText('Your invitation').click()
  const clock = clockOf(server)
  clock.goOn()
  await expect(page.getByText('New emails can’t be loaded right now')).toBeVisible({ timeout: 10_000 })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(emailTo(pierre).getByRole('button', { name: 'Copy link' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await invite(server.url, irene)
  const { to } = noteRequests(page)
  await page.getByRole('button', { name: 'Show new emails' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(proof).toBeVisible()
  expect(to('/api/outbox')).toHaveLength(1)
  await proof.getByLabel('Password', { exact: true }).fill(ADA.password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(emailTo(irene)).toBeVisible()
  await expect(page.getByText('New emails can’t be loaded right now')).toBeHidden()
  await expect(emailTo(pierre).getByRole('button', { name: 'Copy link' })).toBeVisible()
})
