import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'

/** Folder for the README screenshots; only taken on request. */
const PICTURES = process.env['DOSSIER_PICTURES']
const CSV = 'samples/data/airports.csv'
const PICTURE = 'samples/pictures/routes-from-den.webp'
const OWNER = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'seven otters play the violin' }

test.use({ viewport: { width: 1440, height: 900 } })

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined || test.info().project.name !== 'on-sqlite') return
  mkdirSync(PICTURES, { recursive: true })
  await page.mouse.move(0, 0)
  await expect(page.locator('.Toastify__toast')).toHaveCount(0, { timeout: 20_000 })
  await page.evaluate(async () => {
    await document.fonts.ready
  })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' })
}

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search' })

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a newcomer completes the main workflow', async ({ page, server }) => {
  test.setTimeout(180_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))

  await test.step('opens the one-time setup link and becomes the owner', async () => {
    const link = /http:\S+\/setup\?code=\S+/.exec(server.printed())?.[0] ?? ''
    await page.goto(link)
    await page.getByLabel('Your name').fill(OWNER.name)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    expect(await axeFindings(page, ['region'])).toEqual([])
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await expect(page.getByRole('heading', { name: `Welcome, ${OWNER.name}` })).toBeVisible()
    expect(await axeFindings(page, ['region'])).toEqual([])
  })

  await test.step('loads the sample workspace', async () => {
    await page.getByRole('button', { name: /Load the sample workspace/ }).click()
    await expect(page.getByText('Sample workspace ready.')).toBeVisible({ timeout: 90_000 })
    await expect(page.getByRole('main').getByRole('link', { name: /Wildlife strikes/ })).toContainText('6,965 records')
  })

  await test.step('imports their own CSV', async () => {
    await page.getByRole('link', { name: 'Import CSV' }).first().click()
    await page.getByLabel('CSV file').setInputFiles(CSV)
    await page.getByLabel('New collection name').fill('My airports')
    await takePicture(page, 'import')
    expect(await axeFindings(page, ['region'])).toEqual([])
    await page.getByRole('button', { name: 'Import 3,376 records' }).click()
    await page.getByRole('link', { name: 'Open My airports' }).click()
    await expect(page.getByRole('heading', { name: 'My airports' })).toBeVisible()
  })

  await test.step('sees records in a grid, ten per page, switches pages and shows all', async () => {
    await expect(page.getByText('1–10 of 3,376').first()).toBeVisible()
    await expect(rows(page)).toHaveCount(10)
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByText('11–20 of 3,376').first()).toBeVisible()
    await page.getByLabel('Records per page').selectOption('All')
    await expect(page).toHaveURL(/perPage=all/)
    await page.getByRole('rowheader').first().press('Control+End')
    await expect(page.locator('[aria-rowindex="3377"]')).toBeVisible()
    await page.getByLabel('Records per page').selectOption('10')
  })

  await test.step('sorts, searches, filters and selects records', async () => {
    const header = page.getByRole('columnheader', { name: /^City/ })
    await header.click()
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await header.click()
    await expect(header).toHaveAttribute('aria-sort', 'descending')
    await header.click()
    await expect(header).not.toHaveAttribute('aria-sort', /.+ending/)

    await searchBox(page).fill('denver')
    await expect(page).toHaveURL(/search=denver/)
    await expect(page.locator('.records-count')).not.toHaveText('3,376 records')
    await searchBox(page).fill('')
    await expect(page.locator('.records-count')).toHaveText('3,376 records')

    await page.goto(
      `${new URL(page.url()).pathname}?filter=${encodeURIComponent('state = "CO" || state = "Colorado"')}`,
    )
    await expect(page.getByText(/of 49/).first()).toBeVisible()
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .nth(1)
      .click()
    await expect(page.getByText('1 selected')).toBeVisible()
  })

  await test.step('groups the strikes by damage', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Wildlife strikes' }).click()
    await takePicture(page, 'grid')
    expect(await axeFindings(page, ['region'])).toEqual([])
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    await page.getByRole('option', { name: 'Damage' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('row', { name: /None.*6,183/ }).first()).toBeVisible()
    await takePicture(page, 'groups')
    expect(await axeFindings(page, ['region'])).toEqual([])
  })

  await test.step('opens a record, edits values and formats text', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Airports', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Airports', exact: true })).toBeVisible()
    await searchBox(page).fill('ATL')
    await page.getByRole('link', { name: /Hartsfield-Atlanta/ }).click()
    await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Atlanta')
    await takePicture(page, 'record')
    expect(await axeFindings(page, ['region'])).toEqual([])
    await page.getByRole('textbox', { name: 'City' }).fill('Atlanta, Georgia')
    await page.getByRole('textbox', { name: 'Departures in 2008' }).fill('414514')
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await notes.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Bold/ }).click()
    await page.keyboard.type('Seen by Ada')
    await page.getByRole('button', { name: /Bold/ }).click()
    await page.keyboard.type(' in the tower.')
  })

  await test.step('attaches an image and views it', async () => {
    await page.getByLabel('Choose files for Pictures').setInputFiles(PICTURE)
    const preview = page
      .getByRole('region', { name: 'Pictures' })
      .getByRole('button', { name: 'Preview routes-from-den.webp' })
    await expect(preview).toBeVisible()
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    await preview.click()
    await expect(
      page
        .getByRole('dialog')
        .getByText(/routes-from-den\.webp/)
        .first(),
    ).toBeVisible()
    await takePicture(page, 'viewer')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await test.step('signs out, signs in again and finds all changes', async () => {
    const address = page.url()
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(
      page
        .getByRole('heading', { name: /signed out/i })
        .or(page.getByLabel('Email'))
        .first(),
    ).toBeVisible()
    await page.goto(address)
    await signIn(page)
    await expect(page).toHaveURL(address)
    await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Atlanta, Georgia')
    await expect(page.getByRole('textbox', { name: 'Departures in 2008' })).toHaveValue(/414[,.  ]?514/)
    await expect(
      page.getByRole('textbox', { name: 'Notes' }).locator('strong', { hasText: 'Seen by Ada' }),
    ).toBeVisible()
    const preview = page
      .getByRole('region', { name: 'Pictures' })
      .getByRole('button', { name: 'Preview routes-from-den.webp' })
    await expect(preview).toBeVisible()
  })
  expect(complaints).toEqual([])
})
