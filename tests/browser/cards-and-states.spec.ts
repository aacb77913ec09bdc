import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/axe-findings.ts'
import { test } from '#tests/support/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/session-page.ts'

/** Where pictures go; only taken when asked for. */
const PICTURES = process.env['DOSSIER_PICTURES']

const PHONE = { width: 375, height: 812 }

test.use({ serverSettings: WITH_ADA })
test.use({ contextOptions: { reducedMotion: 'reduce', locale: 'en-US' } })

/** Judges the page, and takes its picture when asked. */
async function look(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page), name).toEqual([])
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

const cards = (page: Page, label: string) => page.getByRole('list', { name: label, exact: true })
const cardOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const boxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) })

/** A collection of so many boats. */
async function makeBoats(url: string, label: string, count: number) {
  const program = await asProgram(url, ADA)
  const name = label.toLowerCase()
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Status', kind: 'select', options: choices('afloat', 'ashore', 'sunk') },
    { label: 'Length', kind: 'number' },
    { label: 'Built', kind: 'date' },
    { label: 'Home port', name: 'port', kind: 'text' },
    { label: 'Remarks', kind: 'long-text' },
  ]
  await program.ask('POST', '/api/collections', { label, name, fields })
  const create = Array.from({ length: count }, (_, at) => ({
    values: {
      title: `Boat ${at + 1}`,
      status: ['afloat', 'ashore', 'sunk'][at % 3],
      length: at + 5,
      built: `19${10 + (at % 80)}-04-0${1 + (at % 9)}`,
      port: at % 4 === 0 ? null : 'Fowey',
    },
  }))
  for (let at = 0; at < count; at += 5000) {
    await program.ask('POST', `/api/collections/${name}/records/bulk`, { create: create.slice(at, at + 5000) })
  }
  return program
}

test('in little room a list is one of cards, which do what the grid does', async ({ page, server }) => {
  await makeBoats(server.url, 'Boats', 3000)
  await page.setViewportSize(PHONE)
  await signIn(page, ADA)
  await page.goto('/collections/boats')
  await expect(cards(page, 'Boats').getByRole('listitem')).toHaveCount(10)
  await page.waitForLoadState('networkidle')

  await test.step('a card tells its title and its first fields, and nothing is too small for a thumb', async () => {
    const first = cards(page, 'Boats').getByRole('listitem').first()
    await expect(first).toHaveText(/Boat 1\s*Status\s*afloat\s*Length\s*5\s*Built\s*Apr 1, 1910\s*Home port/)
    await expect(first).toHaveAttribute('aria-setsize', '3000')
    for (const control of [
      boxOf(page, 'Boat 1').locator('..'),
      first.getByRole('button', { name: 'More about Boat 1' }),
    ]) {
      expect(await control.boundingBox()).toMatchObject({ width: 44, height: 44 })
    }
    await look(page, 'cards')
  })

  await test.step('it is selected by thumb and by keys, and what is selected can be acted upon', async () => {
    await boxOf(page, 'Boat 2').check()
    await cardOf(page, 'Boat 4').focus()
    await page.keyboard.press('Shift+Space')
    await expect(page.getByText('3 selected', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(cardOf(page, 'Boat 5')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(boxOf(page, 'Boat 5')).toBeChecked()
    await look(page, 'cards-selected')
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByRole('checkbox', { name: 'Select all records on this page' }).check()
    await expect(page.getByText('10 selected', { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Select all 3,000 matching' }).click()
    await expect(page.getByText('3,000 selected', { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('it opens over the list, is edited there, and gives the keyboard back', async () => {
    await cardOf(page, 'Boat 3').click()
    const sheet = page.getByRole('region', { name: 'Record of Boats' })
    await expect(sheet.getByRole('textbox', { name: 'Title' })).toHaveValue('Boat 3')
    await look(page, 'cards-open')
    await sheet.getByRole('textbox', { name: 'Home port' }).fill('Looe')
    await sheet.getByRole('textbox', { name: 'Home port' }).press('Enter')
    await expect(sheet.getByText('Saved', { exact: true }).first()).toBeVisible()
    await sheet.getByRole('button', { name: 'Close the record' }).click()
    await expect(cardOf(page, 'Boat 3')).toBeFocused()
    await expect(cards(page, 'Boats').getByRole('listitem').nth(2)).toContainText('Looe')
  })

  await test.step('all of them scroll, and the last is one key away', async () => {
    await page.getByLabel('Records per page').selectOption('All')
    await cardOf(page, 'Boat 1').focus()
    await page.keyboard.press('End')
    await expect(cardOf(page, 'Boat 3000')).toBeFocused()
    await expect(cardOf(page, 'Boat 3000')).toBeInViewport()
    expect(await page.locator('.card').count()).toBeLessThan(80)
    await page.keyboard.press('Space')
    await expect(page.getByText('1 selected', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('Home')
    await expect(cardOf(page, 'Boat 1')).toBeInViewport()
    await expect(page.getByText('1 selected', { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })

  await test.step('groups fold', async () => {
    await page.goto('/collections/boats?group=status&perPage=all')
    const head = page.getByRole('button', { name: /^afloat 1,000/ })
    await expect(head).toHaveAttribute('aria-expanded', 'true')
    await look(page, 'cards-groups')
    await head.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(head).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: /^ashore 1,000/ })).toBeFocused()
    await expect(page.getByRole('button', { name: /^ashore 1,000/ })).toBeInViewport()
  })

  await test.step('what can be done with one stands in its menu', async () => {
    await page.goto('/collections/boats?sort=-length')
    await page.getByRole('button', { name: 'More about Boat 3000' }).click()
    await page.getByRole('menuitem', { name: 'Delete record' }).click()
    await expect(cardOf(page, 'Boat 3000')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cardOf(page, 'Boat 3000')).toBeVisible()
  })
})
