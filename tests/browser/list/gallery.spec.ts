import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { printedPages } from '#tests/support/browser/printed-pages.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { fileProgram } from '#tests/support/files/file-records.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

test.use({ serverSettings: WITH_ADA, locale: 'en-US' })

async function look(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page), name).toEqual([])
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

const SAMPLES = new URL('../../../samples/pictures/', import.meta.url)
const photos = readdirSync(SAMPLES)
  .filter((name) => /\.(?:jpe?g|png|webp)$/.test(name))
  .slice(0, 6)
  .map((name) => ({ name, bytes: readFileSync(new URL(name, SAMPLES)) }))

/** Works of art: the first have photos, all have a technique and a year. */
async function makeWorks(url: string, count: number) {
  const program = await fileProgram(url, ADA)
  const choices = ['Oil', 'Ink', 'Print'].map((name) => ({ name }))
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Files', kind: 'files' },
    { label: 'Technique', kind: 'select', options: { choices } },
    { label: 'Year', kind: 'number', options: { grouping: false } },
    { label: 'Owner', kind: 'text' },
  ]
  await program.ask('POST', '/api/collections', { label: 'Works', name: 'works', fields })
  for (const [at, photo] of photos.entries()) {
    const { id } = await program.makeRecord('works', `Work ${at + 1}`, [photo])
    await program.ask('PATCH', `/api/collections/works/records/${id}`, { values: valuesOf(at) })
  }
  const create = Array.from({ length: count - photos.length }, (_, at) => ({
    values: { title: `Work ${at + photos.length + 1}`, ...valuesOf(at + photos.length) },
  }))
  await program.ask('POST', '/api/collections/works/records/bulk', { create })
  return program
}

const valuesOf = (at: number) => ({ technique: ['Oil', 'Ink', 'Print'][at % 3], year: 1900 + (at % 90) })

const cards = (page: Page) => page.getByRole('list', { name: 'Works', exact: true }).getByRole('listitem')
const cardOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const boxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

test('a gallery shows records as cards with covers, operated by keyboard, and saved in a view', async ({
  page,
  server,
}) => {
  await makeWorks(server.url, 400)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto('/collections/works?sort=createdAt&perPage=all')
  const layout = page.getByRole('dialog', { name: 'Layout' })

  await test.step('the layout is chosen, with the cover, size and fields of cards', async () => {
    await page.getByRole('button', { name: /^Layout/ }).press('Enter')
    await layout.getByRole('radio', { name: 'Gallery' }).press('Space')
    await layout.getByRole('combobox', { name: 'Cover image' }).press('Enter')
    await page.getByRole('option', { name: 'Files' }).click()
    await layout.getByRole('radio', { name: 'Fit' }).press('Space')
    await layout.getByRole('radio', { name: 'Crop' }).press('Space')
    await look(page, 'gallery-options')
    await page.keyboard.press('Escape')
    await expect(cards(page).first()).toHaveText(/Work 1\s*Technique\s*Oil\s*Year\s*1900\s*Owner/)
    await expect(cards(page).first().locator('img')).toHaveJSProperty('complete', true)
    await expect(cards(page).nth(photos.length).locator('img')).toHaveCount(0)
    await look(page, 'gallery')
    await page.emulateMedia({ colorScheme: 'dark' })
    await look(page, 'gallery-dark')
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await test.step('arrow keys move between columns and rows', async () => {
    await cardOf(page, 'Work 1').focus()
    await page.keyboard.press('ArrowRight')
    await expect(cardOf(page, 'Work 2')).toBeFocused()
    const columns = await page
      .locator('.card')
      .evaluateAll((all) => new Set(all.map((card) => card.getBoundingClientRect().x)).size)
    expect(columns).toBeGreaterThan(2)
    await page.keyboard.press('ArrowDown')
    await expect(cardOf(page, `Work ${2 + columns}`)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(cardOf(page, 'Work 2')).toBeFocused()
    await page.keyboard.press('End')
    await expect(cardOf(page, 'Work 400')).toBeInViewport()
    expect(await page.locator('.card').count()).toBeLessThan(120)
    await page.keyboard.press('Home')
    await expect(cardOf(page, 'Work 1')).toBeInViewport()
  })

  await test.step('cards are selected by keyboard', async () => {
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await expect(page.getByText(/^\d+ selected$/).first()).toBeVisible()
    await expect(boxOf(page, 'Work 3')).toBeChecked()
    await look(page, 'gallery-selected')
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('a record is opened and edited beside the gallery', async () => {
    await cardOf(page, 'Work 2').press('Enter')
    const panel = page.getByRole('region', { name: 'Record in Works' })
    await panel.getByRole('textbox', { name: 'Owner' }).fill('Ben')
    await panel.getByRole('textbox', { name: 'Owner' }).press('Enter')
    await expect(cards(page).nth(1)).toContainText('Ben')
    await look(page, 'gallery-open')
    await panel.getByRole('button', { name: 'Close record' }).click()
    await expect(cardOf(page, 'Work 2')).toBeFocused()
    await page.keyboard.press('Control+z')
    await expect(cards(page).nth(1)).not.toContainText('Ben')
  })

  await test.step('groups start a new row', async () => {
    await page.goto('/collections/works?sort=createdAt&perPage=all&group=technique')
    const head = page.getByRole('button', { name: /^Ink \d+/ })
    await expect(page.getByRole('button', { name: /^Oil \d+/ })).toBeVisible()
    await look(page, 'gallery-groups')
    await page.getByRole('button', { name: /^Oil \d+/ }).press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    await expect(head).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(head).not.toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(head).toBeFocused()
  })

  await test.step('the list is printed with all records, a heading for each group and repeated column names', async () => {
    await page.getByRole('button', { name: 'More actions for Works' }).press('Enter')
    const sheets = await page.evaluateHandle(() => {
      const kept: { html?: string | undefined } = {}
      window.print = () => void (kept.html = document.querySelector('.print-sheet')?.outerHTML)
      return kept
    })
    await page.getByRole('menuitem', { name: 'Print' }).press('Enter')
    await expect.poll(() => sheets.evaluate(({ html }) => html !== undefined)).toBe(true)
    // The sheet is removed after printing, so that it is added again for the PDF.
    await sheets.evaluate(({ html = '' }) => {
      document.body.insertAdjacentHTML('beforeend', html)
    })
    const pages = await printedPages(page)
    const text = pages.join('\n')
    expect(pages.length).toBeGreaterThan(5)
    expect(text.match(/Work \d+/g)).toHaveLength(400)
    expect(text).toContain('Oil 134 records')
    for (const printed of pages) expect(printed).toMatch(/Title/)
    expect(pages.at(-1)).toContain(`${pages.length} / ${pages.length}`)
  })

  await test.step('at 320 pixels, cards fit the screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/collections/works?sort=createdAt')
    await expect(cardOf(page, 'Work 1')).toBeVisible()
    const widest = await page
      .locator('.card')
      .evaluateAll((all) => Math.max(...all.map((card) => card.getBoundingClientRect().right)))
    expect(widest).toBeLessThanOrEqual(320)
    await look(page, 'gallery-320')
  })
})
