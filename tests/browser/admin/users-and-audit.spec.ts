import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

// Sixty users would affect other tests, so this test has its own server.
test.use({ serverSettings: { env: { ...WITH_ADA.env, LOG_LEVEL: 'warn' } } })

const COUNT = 60

/** Sixty invited users, every third a viewer, and one user attribute. */
async function inviteMany(url: string): Promise<void> {
  const owner = await asProgram(url, ADA)
  await owner.ask('PUT', '/api/workspace/profile-fields', {
    items: [{ name: 'region', label: 'Region', many: false }],
  })
  for (let at = 0; at < COUNT; at += 1) {
    const number = String(at).padStart(2, '0')
    const roles = [at % 3 === 0 ? 'viewer' : 'editor']
    await owner.ask('POST', '/api/users', { email: `guest${number}@example.org`, name: `Guest ${number}`, roles })
  }
}

const people = (page: Page) => page.getByRole('list', { name: 'People' }).getByRole('listitem')

test('many users are searched, given roles and an attribute, and changed back', async ({ page, server }) => {
  test.setTimeout(120_000)
  await inviteMany(server.url)
  await signIn(page, ADA)
  await page.goto('/settings/users')
  const count = page.getByRole('status').filter({ hasText: 'people' })

  await test.step('more users are loaded while scrolling', async () => {
    await expect(count).toHaveText(`${COUNT + 1} people`)
    await expect(people(page)).toHaveCount(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(people(page)).toHaveCount(COUNT + 1)
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('users are found by name, role and status', async () => {
    await page.getByLabel('Role', { exact: true }).click()
    await page.getByRole('option', { name: 'Viewer' }).click()
    await expect(count).toHaveText(`20 of ${COUNT + 1} people`)
    await page.getByLabel('Status').click()
    await page.getByRole('option', { name: 'Deactivated' }).click()
    await page.getByRole('button', { name: 'Show everyone' }).click()
    await page.getByLabel('Search people').fill('GUEST07')
    await expect(people(page)).toHaveCount(1)
  })

  await test.step('a second role and an attribute are added to many users and undone', async () => {
    await page.getByRole('button', { name: 'Actions for Guest 07' }).click()
    await page.getByRole('menuitem', { name: 'Roles and attributes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Permissions of Guest 07' })
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Add another role' }).click()
    await page.getByRole('menuitem', { name: 'Viewer' }).click()
    await expect(dialog.getByText('Viewer has no permissions beyond those of Editor.')).toBeVisible()
    await dialog.getByLabel('Region').fill('North')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(people(page)).toContainText('Editor, Viewer')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Guest 07’s previous permissions restored.')).toBeVisible()
    await expect(people(page)).not.toContainText('Viewer')
  })

  await test.step('the audit log is searched by user and by text, and exported', async () => {
    await page.getByRole('button', { name: 'Actions for Guest 07' }).click()
    await page.getByRole('menuitem', { name: 'Activity' }).click()
    await expect(page.getByLabel('Person', { exact: true })).toHaveValue('Guest 07')
    const entries = page.locator('.audit-entry')
    await expect(entries).toHaveCount(5)
    await expect(entries.first()).toContainText('ada changed')
    await page.getByLabel('Search text').fill('invited')
    await expect(entries).toHaveCount(1)
    expect(await axeFindings(page)).toEqual([])
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const text = await readFile(await (await waiting).path(), 'utf8')
    expect(text.trimEnd().split('\r\n')).toHaveLength(2)
    expect(text).toContain('ada invited Guest 07')
    await page.getByLabel('Search text').fill('moon')
    await page.getByRole('button', { name: 'Show all entries' }).click()
    await expect(entries.first()).toContainText('ada exported the audit log')
  })

  await test.step('the users page and the audit log fit a small screen', async () => {
    await page.setViewportSize({ width: 375, height: 700 })
    for (const path of ['/settings/users', '/settings/audit']) {
      await page.goto(path)
      await expect(page.getByRole('search')).toBeVisible()
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      expect(isWide, path).toBe(false)
      expect(await axeFindings(page)).toEqual([])
    }
  })
})
