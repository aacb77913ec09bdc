import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

test.use({ serverSettings: WITH_ADA })
test.setTimeout(180_000)
test.use({ locale: 'en-US' })
test.use({ viewport: { width: 1440, height: 900 } })

/** Checks the page with axe; takes screenshots if requested. */
async function look(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page), name).toEqual([])
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

const panel = (page: Page) => page.getByRole('region', { name: /^Record in/ })
const title = (page: Page) => panel(page).getByRole('textbox', { name: 'Title' })
const cell = (page: Page, name: string, header: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    .getByRole('gridcell')
    .nth({ Amount: 1, Status: 2, Town: 3 }[header] ?? 1)
const inPanel = (page: Page, name: string) => panel(page).getByRole('textbox', { name })
const rowOf = (page: Page, name: string) => page.getByRole('rowheader', { name, exact: true })

/** A collection of numbered houses, ten per page. */
async function makeHouses(url: string, label: string, count: number) {
  const program = await asProgram(url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Amount', kind: 'number' },
    { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
    { label: 'Town', kind: 'text' },
    { label: 'Notes', kind: 'rich-text' },
  ]
  const name = label.toLowerCase()
  await program.ask('POST', '/api/collections', { label, name, fields })
  const create = Array.from({ length: count }, (_, at) => ({
    values: { title: `House ${at + 1}`, amount: at + 1, status: at % 3 === 0 ? 'done' : 'open', town: 'Bath' },
  }))
  for (let at = 0; at < count; at += 5000) {
    await program.ask('POST', `/api/collections/${name}/records/bulk`, { create: create.slice(at, at + 5000) })
  }
  return program
}

test('a record opens in the side panel, and its neighbors in the list are reachable in order', async ({
  page,
  server,
}) => {
  await makeHouses(server.url, 'Houses', 24)
  await signIn(page, ADA)
  await page.goto(`/collections/houses?filter=${encodeURIComponent('status = "open"')}&sort=-amount`)
  await expect(rowOf(page, 'House 24')).toBeVisible()
  await page.waitForLoadState('networkidle')

  await test.step('a record opens from its title, with its position in the URL', async () => {
    await page.getByRole('link', { name: 'House 21', exact: true }).click()
    await expect(title(page)).toHaveValue('House 21')
    await expect(page).toHaveURL(/sort=-amount&open=[0-9a-z]{26}&at=2$/)
    await expect(panel(page)).toContainText('3 of 16')
    await expect(panel(page).locator(':focus')).toHaveCount(1)
    await expect(page.getByRole('row', { name: /House 21/ })).toHaveAttribute('aria-current', 'true')
    // Only the list and the panel scroll.
    const main = page.locator('.shell-main')
    expect(await main.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    await look(page, 'beside')
    await page.emulateMedia({ colorScheme: 'dark' })
    await look(page, 'beside-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await look(page, 'beside-rtl')
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
  })

  await test.step("next and previous follow the list's filter and sort order, across pages", async () => {
    const next = panel(page).getByRole('button', { name: 'Next record' })
    await page.keyboard.press('j')
    await expect(title(page)).toHaveValue('House 20')
    await page.keyboard.press('k')
    await expect(title(page)).toHaveValue('House 21')
    await next.click()
    await expect(title(page)).toHaveValue('House 20')
    await expect(next).toBeFocused()
    for (const expected of ['House 18', 'House 17', 'House 15', 'House 14', 'House 12', 'House 11', 'House 9']) {
      await page.keyboard.press('j')
      await expect(title(page)).toHaveValue(expected)
    }
    await expect(page).toHaveURL(/page=2&open=\w+&at=10$/)
    await expect(rowOf(page, 'House 9')).toBeVisible()
    await page.keyboard.press('k')
    await expect(title(page)).toHaveValue('House 11')
    await expect(page).not.toHaveURL(/page=2/)
  })

  await test.step('next and previous work while editing and keep focus in the same field', async () => {
    await inPanel(page, 'Town').fill('Wells')
    await page.keyboard.press('Alt+j')
    await expect(title(page)).toHaveValue('House 9')
    await expect(inPanel(page, 'Town')).toBeFocused()
    await page.keyboard.press('Alt+k')
    await expect(inPanel(page, 'Town')).toHaveValue('Wells')
  })

  await test.step("Escape closes the panel and focuses the row; going back doesn't reopen it", async () => {
    await page.keyboard.press('Escape')
    await expect(panel(page)).toBeHidden()
    await expect(rowOf(page, 'House 11')).toBeFocused()
    await expect(page).toHaveURL(/sort=-amount$/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Control+Enter')
    await expect(title(page)).toHaveValue('House 12')
    await page.goBack()
    await expect(panel(page)).toBeHidden()
    await expect(rowOf(page, 'House 12')).toBeFocused()
    await page.goForward()
    await expect(title(page)).toHaveValue('House 12')
  })

  await test.step('next and previous on the record page follow the same list', async () => {
    await panel(page).getByRole('link', { name: 'Open full page' }).click()
    await expect(page).toHaveURL(/\/collections\/houses\/[0-9a-z]{26}\?filter=.+&sort=-amount&at=8$/)
    await expect(panel(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Next record' }).click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('House 11')
    await page.getByRole('button', { name: 'Show in list' }).click()
    await expect(title(page)).toHaveValue('House 11')
    await expect(panel(page)).toContainText('10 of 16')
    await page.goBack()
    await page.goBack()
    await expect(title(page)).toHaveValue('House 12')
  })

  await test.step('a reload restores the panel, and it stays open after sorting', async () => {
    await page.reload()
    await expect(title(page)).toHaveValue('House 12')
    await page.getByRole('columnheader', { name: /^Town/ }).click()
    await expect(page).toHaveURL(/sort=town/)
    await expect(title(page)).toHaveValue('House 12')
  })
})

test('edits in the panel appear in the list immediately, and vice versa', async ({ page, server }) => {
  const program = await makeHouses(server.url, 'Barns', 12)
  await signIn(page, ADA)
  await page.goto('/collections/barns')
  await rowOf(page, 'House 2').getByRole('link').click()
  await expect(title(page)).toHaveValue('House 2')
  await page.waitForLoadState('networkidle')

  await test.step('text typed in the panel appears in the row before it is saved', async () => {
    await page.route('**/records/*', (route) => (route.request().method() === 'PATCH' ? undefined : route.continue()))
    await inPanel(page, 'Town').fill('Frome')
    await expect(cell(page, 'House 2', 'Town')).toHaveText('Frome')
    await page.unrouteAll()
    await page.getByRole('textbox', { name: 'Town' }).blur()
  })

  await test.step('edits in the row appear in the panel', async () => {
    await page.reload()
    await expect(inPanel(page, 'Town')).toHaveValue('Frome')
    await expect(panel(page).getByText('Saved', { exact: true }).first()).toBeVisible()
    await cell(page, 'House 2', 'Amount').click()
    await page.keyboard.type('77')
    await page.keyboard.press('Enter')
    await expect(inPanel(page, 'Amount')).toHaveValue('77')
    await page.keyboard.press('Control+z')
    await expect(inPanel(page, 'Amount')).toHaveValue('2')
  })

  const stored = async () => {
    const { items } = await program.ask('GET', '/api/collections/barns/records?fields=amount,town')
    // Matches the API contract.
    return (items as readonly { readonly values: object }[])[1]?.values
  }

  await test.step("saving in the panel doesn't conflict with saving in the row", async () => {
    await inPanel(page, 'Town').fill('Street')
    await inPanel(page, 'Town').press('Enter')
    await cell(page, 'House 2', 'Amount').click()
    await page.keyboard.type('9')
    await page.keyboard.press('Enter')
    await expect.poll(stored).toEqual({ amount: 9, town: 'Street' })
    await expect(inPanel(page, 'Amount')).toHaveValue('9')
  })

  await test.step('undo in the list takes back edits of the row and of the panel', async () => {
    await inPanel(page, 'Town').fill('Wells')
    await inPanel(page, 'Town').press('Enter')
    await expect.poll(stored).toEqual({ amount: 9, town: 'Wells' })
    await cell(page, 'House 2', 'Amount').click()
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await expect.poll(stored).toEqual({ amount: 5, town: 'Wells' })
    await page.keyboard.press('Control+z')
    await expect.poll(stored).toEqual({ amount: 9, town: 'Wells' })
    await page.keyboard.press('Control+z')
    await expect.poll(stored).toEqual({ amount: 9, town: 'Street' })
    await expect(inPanel(page, 'Town')).toHaveValue('Street')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(stored).toEqual({ amount: 9, town: 'Wells' })
  })

  await test.step('a deleted record is reported and the list remains visible', async () => {
    await page.goto('/collections/barns?open=01jd0000000000000000000000')
    await expect(panel(page)).toContainText('This record doesn’t exist, or you don’t have access to it.')
    await expect(rowOf(page, 'House 2')).toBeVisible()
    await look(page, 'beside-gone')
    await panel(page).getByRole('button', { name: 'Close', exact: true }).click()
    await expect(panel(page)).toBeHidden()
  })

  await test.step("the panel's width is set by dragging or keyboard, and remembered", async () => {
    await rowOf(page, 'House 3').getByRole('link').click()
    const grip = panel(page).getByRole('separator', { name: 'Side panel width' })
    await grip.focus()
    const before = Number(await grip.getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowLeft')
    await expect(grip).toHaveAttribute('aria-valuenow', String(before + 16))
    const box = await grip.boundingBox()
    if (!box) throw new Error('The grip is not drawn')
    await page.mouse.move(box.x + 6, 400)
    await page.mouse.down()
    await page.mouse.move(box.x - 54, 400, { steps: 4 })
    await page.mouse.up()
    await expect(grip).toHaveAttribute('aria-valuenow', String(before + 76))
    await page.reload()
    await expect(grip).toHaveAttribute('aria-valuenow', String(before + 76))
    await panel(page).getByRole('button', { name: 'Close record' }).click()
  })

  await test.step('a new record gets its title in the side panel', async () => {
    await page.getByRole('banner').or(page.locator('.records-head')).getByRole('button', { name: 'New record' }).click()
    await expect(title(page)).toBeFocused()
    await page.keyboard.type('Byre')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(rowOf(page, 'Byre')).toBeVisible()
  })
})

test('a record is duplicated from its menu and the command palette, with undo', async ({ page, server }) => {
  const { ask } = await makeHouses(server.url, 'Twins', 3)
  await signIn(page, ADA)
  const titles = async (): Promise<readonly string[]> => {
    const { items } = (await ask('GET', '/api/collections/twins/records')) as {
      readonly items: readonly { readonly values: { readonly title: string } }[]
    }
    return items.map(({ values }) => values.title).toSorted()
  }
  const duplicate = async () => {
    await page.getByRole('button', { name: 'More actions for this record' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  }

  await test.step('in the side panel, the copy includes the latest edits and opens', async () => {
    await page.goto('/collections/twins')
    await page.getByRole('link', { name: 'House 2', exact: true }).click()
    await expect(page).toHaveURL(/open=/)
    const original = new URL(page.url()).searchParams.get('open')
    await inPanel(page, 'Town').fill('Wells')
    await duplicate()
    await expect(page.getByText('Record duplicated')).toBeVisible()
    await expect.poll(() => new URL(page.url()).searchParams.get('open')).not.toBe(original)
    await expect(title(page)).toHaveValue('House 2')
    await expect(inPanel(page, 'Town')).toHaveValue('Wells')
    await expect(rowOf(page, 'House 2')).toHaveCount(2)
    expect(await titles()).toEqual(['House 1', 'House 2', 'House 2', 'House 3'])
  })

  await test.step('after undo, the original record opens again', async () => {
    await page.getByRole('alert').or(page.getByRole('status')).getByRole('button', { name: 'Undo' }).click()
    await expect(rowOf(page, 'House 2')).toHaveCount(1)
    await expect(title(page)).toHaveValue('House 2')
    await expect.poll(titles).toEqual(['House 1', 'House 2', 'House 3'])
  })

  await test.step('on its page, a record is duplicated with the command palette', async () => {
    await page.getByRole('link', { name: 'Open full page' }).click()
    await expect(page).toHaveURL(/\/collections\/twins\/[0-9a-z]{26}/)
    const original = new URL(page.url()).pathname
    await page.keyboard.press('Control+k')
    await page.keyboard.type('>duplicate')
    await expect(page.getByRole('option', { selected: true })).toHaveAccessibleName(/^Duplicate this record/)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(original)
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('House 2')
    await expect.poll(titles).toEqual(['House 1', 'House 2', 'House 2', 'House 3'])
  })

  await test.step("duplicating isn't offered to users who can't create records", async () => {
    await page.route('**/api/collections', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('"records:create",', '').replaceAll(',"records:create"', '')
      await route.fulfill({ response, body: text })
    })
    await page.reload()
    await page.getByRole('button', { name: 'More actions for this record' }).click()
    await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toHaveCount(0)
  })
})
