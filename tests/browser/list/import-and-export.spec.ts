import { readFileSync } from 'node:fs'
import { expect, type Page, type Response } from '@playwright/test'
import { MESSY_CSV } from '#tests/conformance/messy-csv.ts'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

const SHOTS = process.env['DOSSIER_SHOTS']

test.use({ serverSettings: WITH_ADA, viewport: { width: 1440, height: 900 } })

/** Takes screenshots if requested. */
async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

const choose = (page: Page, name: string, content: string, encoding: BufferEncoding = 'utf8') =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content, encoding) })

test('a CSV is imported, updates existing records, and is exported as displayed', async ({ page, server }) => {
  test.setTimeout(240_000)
  await signIn(page, ADA)

  await test.step('a guessed encoding is reported, and the file can be read with another one', async () => {
    await page.goto('/import')
    await choose(page, 'people.csv', 'code;name\na1;José\nb2;Zoë\nc3;Ada\n', 'latin1')
    const encoding = page.getByRole('combobox', { name: 'File encoding' })
    await expect(encoding).toHaveValue(/Windows-1252/)
    await expect(page.getByText('Guessed. Check accented characters')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await shoot(page, 'import-encoding')
    await encoding.click()
    await page.getByRole('option', { name: /Windows-1251/ }).click()
    await expect(page.getByText(/Josй ·/)).toBeVisible()
    await encoding.click()
    await page.getByRole('option', { name: /Windows-1252/ }).click()
    await expect(page.getByText(/José ·/)).toBeVisible()
    await page.getByRole('button', { name: 'Import 3 records' }).click()
    await expect(page.getByRole('heading', { name: '3 records imported' })).toBeVisible()
  })

  await test.step('matching records are updated after their number is shown', async () => {
    await page.goto('/import?into=people')
    await choose(page, 'more.csv', 'code,name\na1,=Joseph\nd4,Dora\n')
    const key = page.getByRole('combobox', { name: 'Existing records' })
    await key.click()
    await page.getByRole('option', { name: 'Update the record with the same Code' }).click()
    await expect(page.getByText('1 updated, 1 new.')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await shoot(page, 'import-key')
    await page.getByRole('button', { name: /^Import/ }).click()
    await expect(page.getByText(/1 updated\.$/)).toBeVisible()
    await shoot(page, 'import-done')
    await page.getByRole('link', { name: 'Show imported records' }).click()
    await expect(page.getByText('Dora', { exact: true })).toBeVisible()
    await expect(page.getByText('=Joseph', { exact: true })).toBeVisible()
    await expect(page.getByText('Zoë', { exact: true })).toHaveCount(0)
  })

  await test.step('300 inconsistent rows are previewed, fixed and all imported', async () => {
    await page.goto('/import')
    await choose(page, 'rechnungen.csv', MESSY_CSV)
    await expect(page.getByText('EUR 79,94 → €79.94')).toBeVisible()
    await expect(page.getByText('2.2.26 → Feb 2, 2026')).toBeVisible()
    await expect(page.getByRole('heading', { name: '5 of 300 rows have errors' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Import 295 records, skip 5 rows' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Select another file' }).scrollIntoViewIfNeeded()
    await shoot(page, 'import-check')
    await page.getByLabel('Replace “auf Anfrage” with').fill('0')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: '2 of 300 rows have errors' })).toBeVisible()
    await page.getByRole('button', { name: 'Import as empty' }).click()
    await expect(page.getByText('All 300 rows can be imported.')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await shoot(page, 'import-fixed')
    await page.getByRole('button', { name: 'Import 300 records' }).click()
    await expect(page.getByRole('heading', { name: '300 records imported' })).toBeVisible()
    await shoot(page, 'import-link')
    await page.getByRole('link', { name: 'Show imported records' }).click()
    await expect(page).toHaveURL(/\/collections\/rechnungen\?filter=createdAt/)
    await expect(page.getByText('300 records').first()).toBeVisible()
  })

  await test.step("an export has the list's columns and order and is safe to open in spreadsheets", async () => {
    await page.goto('/collections/people?sort=-code')
    await page.getByRole('button', { name: 'More actions for People' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Export this list' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export People' })
    await expect(dialog).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await shoot(page, 'export')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(lines[0]?.startsWith('\uFEFF')).toBe(true)
    expect(lines.slice(1, 5).map((line) => line.split(',').slice(0, 2).toSorted().join(' '))).toEqual([
      'Dora d4',
      'Ada c3',
      'Zoë b2',
      "'=Joseph a1",
    ])
  })

  await test.step('missing options, linked records and fields are created', async () => {
    const { ask } = await asProgram(server.url, ADA)
    const field = { label: 'Client', kind: 'relation', options: { collection: 'people' } }
    const stage = { label: 'Stage', kind: 'select', options: { choices: [{ name: 'open' }] } }
    await ask('POST', '/api/collections', { label: 'Shifts', fields: [{ label: 'Title', kind: 'text' }, stage, field] })
    await page.goto('/import?into=shifts')
    await choose(page, 'shifts.csv', 'title,stage,client,site\nA,open,a1,Linz\nB,done,z9,Graz\n')
    await expect(page.getByRole('combobox', { name: 'Target for site' })).toHaveValue('New field “Site”')
    await page.getByRole('button', { name: 'Create 1 option' }).click()
    await page.getByRole('button', { name: 'Create 1 record in People' }).click()
    await expect(page.getByText('All 2 rows can be imported.')).toBeVisible()
    await page.getByRole('button', { name: 'Import 2 records' }).click()
    await expect(page.getByRole('heading', { name: '2 records imported' })).toBeVisible()
  })
})

test("the column mapping is kept if the server doesn't respond", async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/import')
  await choose(page, 'boats.csv', 'name;length\nHeron;12\n')
  const label = page.getByRole('textbox', { name: 'New collection name' })
  await label.fill('Boats of the harbour')

  await page.route('**/api/imports/*', (route) => route.fulfill({ status: 403, json: { code: 'forbidden' } }))
  const isRefused = (answer: Response) => answer.url().includes('/api/imports/') && !answer.ok()
  const seenAgain = () => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  // A page refreshes stale data when it becomes visible.
  await expect(async () => {
    await Promise.all([page.waitForResponse(isRefused, { timeout: 2000 }), seenAgain()])
  }).toPass({ timeout: 40_000 })
  await expect(label).toHaveValue('Boats of the harbour')
})
