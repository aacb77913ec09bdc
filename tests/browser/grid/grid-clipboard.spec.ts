import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ locale: 'en-GB' })
test.use({ serverSettings: WITH_ADA })
test.setTimeout(180_000)

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../web/ui/grid/clipboard/fixtures/${name}`, import.meta.url), 'utf8')

/** Overrides the page's copy event to put another program's clipboard data on the clipboard. */
async function copyFrom(page: Page, program: string): Promise<void> {
  const flavours = { html: fixture(`${program}.html`), text: fixture(`${program}.txt`) }
  await page.evaluate(({ html, text }) => {
    const copy = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/html', html)
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('copy', copy, { once: true, capture: true })
  }, flavours)
  await page.keyboard.press('Control+c')
}

const PROGRAMS = ['libreoffice', 'libreoffice-25', 'excel', 'excel-online', 'google-sheets', 'google-sheets-windows']

const BOOKS = [
  ['Title', 'Shelf', 'Price', 'Bought', 'Note'],
  ['The "Odyssey"', '007', '1,234.50', '09/03/2024', 'first line\nsecond line'],
  ['Müller & Söhne <Verlag> in a second edition', '-7', '0.50', '', 'two  spaces'],
  ['Total', '', '1,235.00', '', ''],
]

test('spreadsheet data is pasted unchanged, and copied data can be pasted elsewhere', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Novels',
    fields: ['Title', 'Shelf', 'Price', 'Bought', 'Note'].map((label) => ({ label, kind: 'long-text' })),
  })
  const create = Array.from({ length: PROGRAMS.length * 4 }, (_, at) => ({ values: { title: `Book ${at}` } }))
  await ask('POST', '/api/collections/novels/records/bulk', { create })
  const stored = async (first: number): Promise<readonly (readonly string[])[]> => {
    const { items } = await ask('GET', '/api/collections/novels/records?perPage=100')
    // Matches the API contract.
    const records = items as readonly { readonly values: { readonly [field: string]: string | null } }[]
    const fields = ['title', 'shelf', 'price', 'bought', 'note']
    return records.slice(first, first + 4).map(({ values }) => fields.map((field) => values[field] ?? ''))
  }
  await signIn(page, ADA)
  await page.goto('/collections/novels?perPage=50')
  await expect(page.getByRole('grid')).toContainText('Book 1')
  await page.waitForLoadState('networkidle')
  const cellAt = (row: number) => page.locator(`[data-line="${row + 1}"] [data-column="1"]`)

  for (const [at, program] of PROGRAMS.entries()) {
    await test.step(`cells copied from ${program} are pasted unchanged`, async () => {
      await cellAt(at * 4).click({ position: { x: 4, y: 8 } })
      await copyFrom(page, program)
      await page.keyboard.press('Control+v')
      await expect.poll(() => stored(at * 4), { message: program }).toEqual(BOOKS)
    })
  }

  await test.step('cells are copied within the grid through the same clipboard', async () => {
    await cellAt(0).click({ position: { x: 4, y: 8 } })
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(`Shift+${key}`)
    }
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await stored(0)).flat().join('')).toBe('')
    await page.keyboard.press('Control+z')
    await expect.poll(() => stored(0)).toEqual(BOOKS)
    await page.keyboard.press('Control+c')
    await cellAt(4).click({ position: { x: 4, y: 8 } })
    for (let row = 0; row < 3; row += 1) await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await stored(4)).map(([title]) => title).join('')).toBe('')
    await page.keyboard.press('Control+v')
    await expect.poll(() => stored(4)).toEqual(BOOKS)
  })
})

test('pasting an email or name into a user cell finds the user', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Keeper', kind: 'user' },
  ]
  await ask('POST', '/api/collections', { label: 'Shelves', fields })
  const create = [{ values: { title: ADA.email } }, { values: { title: 'ada' } }]
  await ask('POST', '/api/collections/shelves/records/bulk', { create })
  const keepers = async (): Promise<readonly unknown[]> => {
    const { items } = await ask('GET', '/api/collections/shelves/records')
    // Matches the API contract.
    return (items as readonly { readonly values: { readonly keeper: string | null } }[]).map(
      ({ values }) => values.keeper,
    )
  }
  await signIn(page, ADA)
  await page.goto('/collections/shelves')
  await expect(page.getByRole('grid')).toContainText(ADA.email)
  await page.waitForLoadState('networkidle')
  const cellAt = (column: number) => page.locator(`[data-line="1"] [data-column="${column}"]`)
  await cellAt(1).click({ position: { x: 4, y: 8 } })
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+c')
  await cellAt(2).click({ position: { x: 4, y: 8 } })
  await page.keyboard.press('Control+v')
  await expect.poll(keepers).toEqual([expect.any(String), expect.any(String)])
})
