import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'

test.use({ serverSettings: WITH_ADA })

const FAILURE = { code: 'internal-error', title: 'Internal error', status: 500, detail: 'Try again.', requestId: '1' }

const LONG = `${'Nothing of note here, and then some more words of no weight. '.repeat(6)}At last the crème de la crème.`

/** Two collections with similar content. */
async function fill(server: StartedServer): Promise<void> {
  const { ask } = await asProgram(server.url, ADA)
  const cooks = await ask('POST', '/api/collections', { label: 'Cooks', fields: [{ label: 'Name', kind: 'text' }] })
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Notes', kind: 'long-text' },
    { label: 'Cook', kind: 'relation', options: { collection: String(cooks['name']) } },
    { label: 'Tags', kind: 'multi-select', options: { choices: [{ name: 'sweet' }, { name: 'Crème' }] } },
    { label: 'Phone', kind: 'phone' },
  ]
  await ask('POST', '/api/collections', { label: 'Dishes', fields })
  const cook = await ask('POST', '/api/collections/cooks/records', { values: { name: 'Ada Crèmer' } })
  const dishes = [
    { title: 'Crème brûlée', tags: ['sweet', 'Crème'], phone: '+43 1 234 56' },
    { title: 'Onion soup', notes: LONG },
    { title: 'Bread', cook: cook['id'] },
    ...Array.from({ length: 6 }, (_, at) => ({ title: `Ice crème no. ${at + 1}` })),
  ]
  for (const values of dishes) await ask('POST', '/api/collections/dishes/records', { values })
}

const marksIn = (place: Locator) => place.locator('mark').allTextContents()
const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
const field = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' })
const found = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
/** The visible status text; it is announced slightly later. */
const situation = (page: Page) => page.locator('.search-words')
const chosen = (page: Page) => found(page).and(page.getByRole('option', { selected: true }))

test('matches are highlighted, and global search works by keyboard', async ({ page, server }) => {
  test.setTimeout(300_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await fill(server)
  await page.goto('/')
  await signIn(page, ADA)

  await test.step('a list highlights matches in long texts, options, titles and numbers', async () => {
    await page.goto('/collections/dishes?search=creme')
    await expect(row(page, 'Crème brûlée')).toBeVisible()
    await expect.poll(() => marksIn(row(page, 'Crème brûlée'))).toEqual(['Crème', 'Crème'])
    await expect.poll(() => marksIn(row(page, 'Onion soup'))).toEqual(['crème', 'crème'])
    await expect.poll(() => marksIn(row(page, 'Bread'))).toEqual(['Crème'])
    await lookAt(page, 'list-with-hits')
    await page.goto('/collections/dishes?search=1234')
    await expect(row(page, 'Crème brûlée').locator('mark')).toHaveText('1 234')
    await page.goto('/collections/dishes')
    await expect(row(page, 'Bread')).toBeVisible()
    await expect.poll(() => marksIn(page.getByRole('grid'))).toEqual([])
  })

  await test.step('hidden columns that contain a match are named', async () => {
    await page.goto('/collections/dishes?search=creme')
    await page.getByRole('columnheader', { name: 'Notes' }).hover()
    await page.getByRole('button', { name: 'Column Notes' }).click()
    await page.getByRole('menuitem', { name: 'Hide' }).click()
    await expect(row(page, 'Onion soup')).toContainText('in Notes')
    await lookAt(page, 'hit-out-of-sight')
  })

  await test.step('Enter moves to the next match, and focus stays in the search field', async () => {
    await page.goto('/collections/dishes')
    const search = page.getByRole('searchbox', { name: 'Search', exact: true })
    const hit = page.locator('[data-at-hit] .grid-row .grid-cell[tabindex="0"]')
    const said = page.locator('.records-grid > span[role="status"]').last()
    await search.fill('creme')
    await search.press('Enter')
    await expect(hit).toHaveText('Crème brûlée')
    await expect(said).toHaveText('Title: “Crème brûlée”, row 1')
    await expect(search).toBeFocused()
    await search.press('Enter')
    await expect(said).toHaveText('Tags: “Crème”, row 1')
    await search.press('Enter')
    await expect(said).toHaveText('Onion soup, found in Notes, row 2')
    await search.press('Shift+Enter')
    await expect(said).toHaveText('Tags: “Crème”, row 1')
    await page.getByRole('button', { name: 'Previous match' }).click()
    await page.getByRole('button', { name: 'Previous match' }).click()
    await expect(said).toHaveText('Back at the last match. Title: “Ice crème no. 6”, row 9')
    await page.getByRole('button', { name: 'Next match' }).click()
    await expect(said).toHaveText('Back at the first match. Title: “Crème brûlée”, row 1')
    await lookAt(page, 'at-a-match')
    await hit.click()
    await expect(page.locator('[data-at-hit]')).toHaveCount(0)
    await search.press('Escape')
    await expect(search).toHaveValue('')
    await expect(page.getByRole('button', { name: 'Next match' })).toHaveCount(0)
  })

  await test.step('Enter reaches matches on other pages, in rows that are not loaded, and on cards', async () => {
    const { ask } = await asProgram(server.url, ADA)
    const notes = Array.from({ length: 6 }, (_, at) => ({ label: `Note ${at}`, name: `note${at}`, kind: 'text' }))
    await ask('POST', '/api/collections', { label: 'Piers', fields: [{ label: 'Name', kind: 'text' }, ...notes] })
    const create = Array.from({ length: 300 }, (_, at) => ({ values: { name: `No. ${at + 1}`, note5: 'Pier' } }))
    await ask('POST', '/api/collections/piers/records/bulk', { create })
    const search = page.getByRole('searchbox', { name: 'Search', exact: true })
    const said = page.locator('.records-grid > span[role="status"]').last()
    await page.setViewportSize({ width: 900, height: 700 })
    await page.goto('/collections/piers?perPage=10&search=pier')
    await search.press('Enter')
    await expect(said).toHaveText('Note 5: “Pier”, row 1')
    // The grid also scrolls horizontally to the match.
    await expect(page.locator('[data-at-hit] .grid-cell[tabindex="0"]')).toBeInViewport({ ratio: 1 })
    for (let row = 2; row <= 10; row += 1) await search.press('Enter')
    await expect(said).toHaveText('Note 5: “Pier”, row 10')
    await search.press('Enter')
    await expect(page).toHaveURL(/page=2/)
    await expect(said).toHaveText('Note 5: “Pier”, row 11')
    await search.press('Shift+Enter')
    await expect(said).toHaveText('Note 5: “Pier”, row 10')
    await expect(search).toBeFocused()
    await page.goto('/collections/piers?perPage=all&search=pier')
    await search.press('Shift+Enter')
    await expect(said).toHaveText('Note 5: “Pier”, row 1')
    await search.press('Shift+Enter')
    await expect(said).toHaveText('Back at the last match. Note 5: “Pier”, row 300')
    await expect(page.locator('[data-at-hit] .grid-cell[tabindex="0"]')).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 375, height: 700 })
    await page.reload()
    await search.press('Enter')
    await expect(said).toHaveText('Note 5: “Pier”, row 1')
    await search.press('Enter')
    await expect(said).toHaveText('Note 5: “Pier”, row 2')
    await expect(page.getByRole('listitem').filter({ hasText: 'No. 2' }).first()).toBeInViewport()
    await lookAt(page, 'at-a-match-on-cards')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('global search opens from any page', async () => {
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
    await lookAt(page, 'search-begun')
    await field(page).fill('creme')
    await expect(found(page)).toHaveCount(7)
    await expect(page.getByRole('group', { name: 'Cooks' }).getByRole('option')).toHaveText(['Ada Crèmer'])
    await expect(chosen(page)).toHaveText('Ada Crèmer')
    await expect(found(page).filter({ hasText: 'Crème brûlée' })).toContainText('Tags')
    await lookAt(page, 'search-found')
  })

  await test.step('results are navigated with arrow keys and opened with Enter', async () => {
    await page.keyboard.press('ArrowDown')
    await expect(chosen(page)).toContainText('Crème brûlée')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect(chosen(page)).toHaveText('All in Dishes')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/collections\/dishes\?search=creme$/)
    await expect(field(page)).toBeHidden()
    await page.getByRole('button', { name: 'Search and commands' }).click()
    await field(page).fill('onion')
    await expect(chosen(page)).toContainText('Onion soup')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toContainText('At last the crème')
  })

  await test.step('empty results and failures are explained, and Escape goes back', async () => {
    await page.keyboard.press('Control+k')
    await field(page).fill('nowhere to be found')
    await expect(situation(page)).toHaveText('No results for “nowhere to be found”. Try fewer or different words.')
    await lookAt(page, 'search-nothing')
    await page.route('**/api/search?**', (route) => route.fulfill({ status: 500, json: FAILURE }))
    await field(page).fill('offline')
    await expect(page.getByRole('alert')).toBeVisible()
    await page.unroute('**/api/search?**')
    await page.getByRole('alert').getByRole('button').click()
    await expect(situation(page)).toHaveText('No results for “offline”. Try fewer or different words.')
    await page.keyboard.press('Escape')
    await expect(field(page)).toBeHidden()
  })

  await test.step('the collection settings show the search index status', async () => {
    await page.goto('/collections/dishes/settings')
    await expect(page.getByRole('region', { name: 'Search' })).toContainText(
      'The search index is complete and up to date',
    )
  })
})
