import { settlesInTime, WAIT_MS } from './open-everything.ts'
import { isSafelySent } from './walk-files.ts'
import type { WatchedBrowser } from './watched-browser.ts'

/** Searches in the command palette. */
export async function searchInPalette({ page, look }: WatchedBrowser): Promise<void> {
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  const isAnswered = settlesInTime(page.waitForResponse(/\/api\/search\?/, { timeout: WAIT_MS }))
  await dialog.getByRole('combobox').fill('pwned')
  await isAnswered
  await settlesInTime(dialog.getByRole('option').first().waitFor({ timeout: WAIT_MS }))
  await look(page)
  await page.keyboard.press('Escape')
}

/** Opens a pending import: its name, header and cells. */
export async function chooseImport({ page, look, tell, marks: { write } }: WatchedBrowser): Promise<void> {
  const name = `${write('file of an import', '<img src=x onerror=pwned(§)>')}.csv`
  const text = ['"<img src=x onerror=pwned(§)>"', 'javascript:pwned(§)', '=pwned(§)'].map((one) =>
    write('head of an import', one),
  )
  const buffer = Buffer.from(`${text.join()}\n${text.join()}\n`)
  const file = { name, mimeType: 'text/csv', buffer }
  await page.locator('input[type=file]').first().setInputFiles(file)
  if (!(await settlesInTime(page.locator('.plan-form').waitFor({ timeout: WAIT_MS }))))
    tell(page, 'there is no preview')
  await look(page)
}

/** Exports the list; finds the menu items by their English labels. */
export async function exportList({ page, look, tell }: WatchedBrowser): Promise<void> {
  if ((await page.locator('html').getAttribute('lang')) !== 'en') return
  await page.locator('.records-actions [aria-haspopup=menu]').first().click()
  await page.getByRole('menuitem', { name: 'Export this list' }).click()
  const button = page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true })
  await button.waitFor()
  await look(page)
  const [answer] = await Promise.all([
    page.waitForResponse(/export\.csv/),
    page.waitForEvent('download'),
    button.click(),
  ])
  if (!isSafelySent(answer.headers(), true)) tell(page, 'an export can be interpreted as a page')
}

export async function deleteRecord({ page, look }: WatchedBrowser): Promise<void> {
  if (
    !(await settlesInTime(page.getByRole('button', { name: 'More actions for this record' }).click({ timeout: 1000 })))
  )
    return
  await settlesInTime(page.getByRole('menuitem', { name: 'Delete' }).click({ timeout: 1000 }))
  await settlesInTime(page.getByRole('button', { name: 'Undo' }).waitFor({ timeout: WAIT_MS }))
  await look(page)
}
