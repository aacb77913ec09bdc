import { pagesOf, type PagesOf } from '../../../support/every-page.ts'
import type { WatchedBrowser } from './watch.ts'

/** What is walked through, how far, and in which language. */
export type Walk = PagesOf & {
  readonly isLong: boolean
  /** Whether every button is pressed. */
  readonly isThorough: boolean
  readonly language: 'en' | 'de' | 'ar'
  /** Everything else that has an address and shows a record. */
  readonly records: readonly string[]
}

/** What holds a page up longer than this is not waited for. */
const PATIENCE_MS = 4_000
const MOST_BUTTONS = 15
/** Where pressing every button ends the sessions of those who write. */
const NOT_PRESSED = '/account/sessions'

/** Walks through every page with everything open that can be opened, and looks around at each step. */
export async function walkThrough(browser: WatchedBrowser, walk: Walk): Promise<number> {
  const { page, context, look } = browser
  const { collection, record, isLong, language } = walk
  await context.addCookies([{ name: 'language', value: language, url: new URL(page.url()).origin }])
  const list = `/collections/${collection}`
  let pages = 0
  const visit = async (path: string, act?: () => Promise<void>): Promise<void> => {
    await page.goto(path)
    await settle(browser, isLong)
    await look(page)
    await act?.()
    pages += 1
  }
  for (const { path } of pagesOf(walk)) {
    const isPressed = walk.isThorough && path !== NOT_PRESSED
    await visit(path, isPressed ? () => pressAll(browser, path) : undefined)
  }
  for (const id of isLong ? walk.records : []) await visit(`${list}/${id}`)
  await visit(`${list}/${record}`, () => lookAtFiles(browser))
  await visit(list, async () => {
    await searchInPalette(browser)
    await page.emulateMedia({ media: 'print' })
    await look(page)
    await page.emulateMedia({ media: 'screen' })
  })
  if (!isLong) return pages
  for (const query of ['search=pwned', 'group=select', 'group=text', 'filter=text%20~%20%22pwned%22', 'sort=-text']) {
    await visit(`${list}?perPage=all&${query}`)
  }
  await page.setViewportSize({ width: 375, height: 812 })
  for (const path of [list, `${list}?group=select`, `${list}/${record}`, '/']) await visit(path)
  await page.setViewportSize({ width: 1440, height: 900 })
  await visit('/import', () => chooseImport(browser))
  await visit(`${list}/${walk.records.at(-1) ?? record}`, () => deleteRecord(browser))
  return pages
}

/** Waits until a page has its heading, and what it promised; one that never has is kept up by what it shows. */
async function settle({ page, tell, unanswered }: WatchedBrowser, isLong: boolean): Promise<void> {
  const hasHead = await happens(page.getByRole('heading', { level: 1 }).first().waitFor())
  if (isLong) await happens(page.waitForLoadState('networkidle'))
  const busy = '[aria-busy="true"], .mantine-Skeleton-root'
  const isWhole = await happens(page.waitForFunction((which) => document.querySelector(which) === null, busy))
  if (!hasHead) tell(page, 'it does not come')
  if (new URL(page.url()).pathname === '/login') tell(page, 'whoever walks is signed in no more')
  // A sensitive page of a walk of more than a quarter of an hour has been seen, and now asks who is there.
  if (isWhole || (await page.getByRole('dialog').isVisible())) return
  const left = await page.locator(busy).evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 300)))
  tell(page, `it is not whole: ${left.join(' ')}; not answered: ${unanswered().join(', ')}`)
}

/** Whether something happened in time; what did not is no fault of a text. */
const happens = (what: Promise<unknown>): Promise<boolean> =>
  what.then(
    () => true,
    () => false,
  )

/** Presses every button of a page, one after the other, and looks at what comes: menus, lists, dialogs, words of refusal. */
async function pressAll(browser: WatchedBrowser, path: string): Promise<void> {
  const { page, look } = browser
  const buttons = page.locator('#main button:visible:enabled:not([type=submit])')
  const count = Math.min(await buttons.count(), MOST_BUTTONS)
  for (let nth = 0; nth < count; nth += 1) {
    if (!(await happens(buttons.nth(nth).click({ timeout: 500 })))) continue
    await look(page)
    await page.keyboard.press('Escape')
    const isElsewhere = new URL(page.url()).pathname !== path.split('?', 1)[0]
    if (!isElsewhere && (await page.locator('[role=dialog]:visible').count()) === 0) continue
    await page.goto(path)
    await settle(browser, true)
  }
}

/** Looks at each file of the record over the page, then at each at its own address, shown and kept. */
async function lookAtFiles({ page, context, look }: WatchedBrowser): Promise<void> {
  const links = page.locator('a[download][href*="/api/files/"]')
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  if (await happens(page.locator('.file-face').first().click({ timeout: PATIENCE_MS }))) {
    for (const _ of addresses) {
      await look(page)
      await page.keyboard.press('ArrowRight')
    }
    await page.keyboard.press('Escape')
  }
  const tab = await context.newPage()
  for (const address of addresses) {
    // What is kept and not shown ends the way there.
    await happens(tab.goto(address.replace(/[?&]download=/, (sign) => (sign.startsWith('?') ? '?' : ''))))
    await happens(tab.goto(address))
  }
  await tab.close()
}

/** Looks for what was written, in the palette. */
async function searchInPalette({ page, look }: WatchedBrowser): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('pwned')
  await happens(page.getByRole('option').first().waitFor({ timeout: PATIENCE_MS }))
  await look(page)
  await page.keyboard.press('Escape')
}

/** Looks at a table before it is imported: its name, heads and cells. */
async function chooseImport({ page, look, marks: { write } }: WatchedBrowser): Promise<void> {
  const name = `${write('file of an import', '<img src=x onerror=pwned(§)>')}.csv`
  const text = ['"<img src=x onerror=pwned(§)>"', 'javascript:pwned(§)', '=pwned(§)'].map((one) =>
    write('head of an import', one),
  )
  const buffer = Buffer.from(`${text.join()}\n${text.join()}\n`)
  const file = { name, mimeType: 'text/csv', buffer }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await happens(page.getByText('onerror').first().waitFor({ timeout: PATIENCE_MS }))
  await look(page)
}

/** Deletes a record, and looks at what is said then, with the way back; both by what they are called in English. */
async function deleteRecord({ page, look }: WatchedBrowser): Promise<void> {
  if (!(await happens(page.getByRole('button', { name: 'More about this record' }).click({ timeout: 1000 })))) return
  await happens(page.getByRole('menuitem', { name: 'Delete' }).click({ timeout: 1000 }))
  await happens(page.getByRole('button', { name: 'Undo' }).waitFor({ timeout: PATIENCE_MS }))
  await look(page)
}
