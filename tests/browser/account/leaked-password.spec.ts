import { expect } from '@playwright/test'
import { LEAKED_PASSWORD_MESSAGE } from '#domain/sessions/password-rules.ts'
import { test as base } from '#tests/support/browser/browser-page.ts'
import { openPasswordRange, type PasswordRange } from '#tests/support/identity/password-range.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

const LEAKED = 'four walruses paint the fence'

const test = base.extend<object, { readonly range: PasswordRange }>({
  range: [
    // Playwright requires a destructuring pattern, even if it is empty.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const range = await openPasswordRange()
      range.leak(LEAKED, 3)
      await use(range)
      await range.close()
    },
    { scope: 'worker' },
  ],
  serverSettings: [
    async ({ range }, use) => use({ env: { ...WITH_ADA.env, PASSWORD_RANGE_URL: range.url.href } }),
    { scope: 'worker' },
  ],
})

test('a leaked password shows a field error until it is changed', async ({ page, range }) => {
  await signIn(page, ADA)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('Current password').fill(ADA.password)
  const next = page.getByLabel('New password')
  await next.fill(LEAKED)
  await expect(page.getByText('Strong password.')).toBeVisible()
  await page.getByRole('button', { name: 'Change password' }).click()

  const refusal = page.getByRole('alert').filter({ hasText: LEAKED_PASSWORD_MESSAGE })
  await expect(refusal).toBeVisible()
  await expect(page.getByText(LEAKED_PASSWORD_MESSAGE)).toHaveCount(1)
  await expect(next).toHaveAttribute('aria-invalid', 'true')
  await expect(next).toHaveAccessibleDescription(LEAKED_PASSWORD_MESSAGE)
  await expect(next).toHaveValue(LEAKED)

  await next.fill('nine herons read the paper')
  await expect(refusal).toBeHidden()
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  expect(range.requests).toHaveLength(2)
})
