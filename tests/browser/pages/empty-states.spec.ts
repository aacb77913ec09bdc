import { expect, type Page } from '@playwright/test'
import { LANGUAGE_COOKIE } from '#domain/shared/language.ts'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { visit } from '#tests/support/browser/all-pages.ts'
import { ADA, asProgram, GRACE, acceptInvitation, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

// Requires a server without data.
test.use({ serverSettings: { env: { ...WITH_ADA.env } } })
test.use({ locale: 'en-US' })
test.describe.configure({ mode: 'serial' })

const NORMA = { name: 'norma', email: 'norma@example.org', password: 'eleven storks count the stars' }

/** The expected text and action of an empty state. */
type Place = { readonly path: string; readonly says: string; readonly offers?: string | undefined }

const place = (page: Page) => page.locator('.empty-state')

async function see(page: Page, { path, says, offers }: Place): Promise<void> {
  await visit(page, path)
  await expect(place(page)).toContainText(says)
  const buttons = place(page).locator('button, a')
  if (offers === undefined) await expect(buttons).toHaveCount(0)
  else await expect(buttons.first()).toHaveText(offers)
}

/** Creates one collection without fields and one with fields. */
async function makeCollections(url: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/collections', { label: 'Husks', fields: [] })
  const choices = [
    { name: 'new', color: 'blue' },
    { name: 'done', color: 'green' },
  ]
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'State', kind: 'state', options: { choices } },
  ]
  await ask('POST', '/api/collections', { label: 'Permits', fields })
}

test('a user without access sees who can grant it', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const role = await ask('POST', '/api/roles', { name: 'Newcomer', policies: [] })
  await acceptInvitation(ask, NORMA, String(role['id']))
  await signIn(page, NORMA)
  await see(page, { path: '/', says: 'You don’t have access to any collections.', offers: 'Your permissions' })
  await place(page).getByRole('button').click()
  await expect(page.getByText('No roles yet. Ask an owner for access.')).toBeVisible()

  await test.step('a forbidden page names the required permission', async () => {
    await visit(page, '/import')
    await expect(page.getByRole('main')).toContainText('You need the permission “Import records”')
    await page.getByRole('main').getByRole('link', { name: 'Your permissions' }).click()
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  })
})

test('every empty state explains its purpose and the next step to an owner', async ({ page, server }) => {
  await signIn(page, ADA)
  await visit(page, '/')
  await expect(page.getByRole('main')).toContainText('Your workspace is empty.')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(4)
  await makeCollections(server.url)
  const places: readonly Place[] = [
    { path: '/settings/tokens', says: 'No API tokens yet.', offers: 'New token' },
    { path: '/collections/husks', says: 'Husks has no fields yet.', offers: 'Add a field' },
    { path: '/collections/permits', says: 'Permits has no records yet.', offers: 'New record' },
    { path: '/collections/permits?search=yak', says: 'No results for “yak”.', offers: 'Clear search' },
    { path: '/collections/permits?filter=title%20%3D%20%22a%22', says: 'No records match', offers: 'Clear filter' },
    // A page number beyond the end falls back to the last page.
    { path: '/collections/permits?page=4', says: 'Permits has no records yet.', offers: 'New record' },
    { path: '/collections/permits?view=none-such', says: 'This view was deleted', offers: 'Show all records' },
    { path: '/collections/permits/none-such', says: 'This record doesn’t exist', offers: 'Back to Permits' },
  ]
  for (const each of places) await see(page, each)
  expect(await axeFindings(page)).toEqual([])

  await test.step('the suggested action of an empty state works', async () => {
    await place(page).getByRole('button', { name: 'Back to Permits' }).click()
    await expect(place(page)).toContainText('Permits has no records yet. Create one, or import a CSV file.')
    await visit(page, '/collections/husks')
    await place(page).getByRole('button', { name: 'Add a field' }).click()
    await expect(page.getByRole('heading', { name: 'Fields and settings' })).toBeVisible()
  })

  await test.step('settings show an explanation before first use', async () => {
    await visit(page, '/collections/permits/settings')
    for (const words of [
      'Rules check records before they are saved',
      'Anyone who can edit a record can change its status',
      'No indexes yet',
    ])
      await expect(page.getByText(words)).toBeVisible()
  })
})

test('a search without results shows a message and can be cleared', async ({ page }) => {
  await signIn(page, ADA)
  await visit(page, '/')

  await test.step('a search without results can be cleared in the command palette', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('zeppelin')
    await expect(page.locator('.search-words')).toContainText('Try fewer or different words.')
    await page.keyboard.press('Escape')
  })

  await test.step('a search without results can be cleared in help', async () => {
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search help' }).fill('zeppelin')
    await expect(place(page)).toContainText('No help found for “zeppelin”.')
    await place(page).getByRole('button', { name: 'Show all' }).click()
    await expect(page.getByRole('heading', { name: 'Filter language' })).toBeVisible()
    await page.getByRole('button', { name: 'Close help' }).click()
  })

  await test.step('a search without results can be cleared in the audit log', async () => {
    await visit(page, '/settings/audit')
    await page.getByLabel('Search text').fill('zeppelin')
    await expect(place(page)).toContainText('No entries match your search.')
    await place(page).getByRole('button', { name: 'Show all entries' }).click()
    await expect(page.getByText('ada signed in').first()).toBeVisible()
  })

  await test.step('a search without results can be cleared in the shortcut list', async () => {
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('searchbox', { name: 'Search shortcuts' }).fill('zeppelin')
    await place(page).getByRole('button', { name: 'Show all' }).click()
    await expect(page.getByRole('heading', { name: 'Everywhere' })).toBeVisible()
  })
})

test('list tools show an explanation before first use', async ({ page }) => {
  await signIn(page, ADA)
  await visit(page, '/collections/permits')
  const tools = page.getByRole('group', { name: 'Display options' })
  const hints = [
    ['Filter', 'No filters applied. Add a condition to narrow the list.'],
    ['Sort', 'Sorted by creation date, oldest first.'],
    ['Group', 'Not grouped. Select a field to group by.'],
    ['Colors', 'Highlight rows or cells that match a condition.'],
  ] as const
  for (const [tool, words] of hints) {
    await tools.getByRole('button', { name: tool }).click()
    await expect(page.getByText(words)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText(words)).toBeHidden()
  }
})

test('a read-only user of an empty list is offered only allowed actions', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await acceptInvitation(ask, GRACE, 'viewer')
  await signIn(page, GRACE)
  const says = 'Permits has no records yet. Records you have access to will appear here.'
  await see(page, { path: '/collections/permits', says })
  await see(page, { path: '/collections/husks', says: 'Husks has no records yet.' })
})

test('empty states are translated', async ({ page, server }) => {
  await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: 'de', url: server.url }])
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto('/login')
  await page.getByLabel('E-Mail').fill(ADA.email)
  await page.getByLabel('Passwort', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Start' })).toBeVisible()
  await see(page, {
    path: '/collections/permits',
    says: 'Permits hat noch keine Datensätze.',
    offers: 'Neuer Datensatz',
  })
})
