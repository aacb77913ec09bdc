import { OWNER } from '#tests/attack/environments.ts'
import { pagesOf, type PagesOf } from '#tests/support/browser/all-pages.ts'
import { settlesInTime, openAll, openFields, openNotes, WAIT_MS, pressAll } from './open-everything.ts'
import { openFiles } from './walk-files.ts'
import type { WatchedBrowser } from './watched-browser.ts'
import { chooseImport, deleteRecord, exportList, searchInPalette } from './walk-actions.ts'

/** What to open, how thoroughly, and in which language. */
export type Walk = PagesOf &
  Elsewhere & {
    readonly isLong: boolean
    /** Whether to press every button. */
    readonly isThorough: boolean
    readonly language: 'en' | 'de'
    /** URLs of other pages that show a record. */
    readonly records: readonly string[]
  }

/** Where to find texts that no page shows without interaction. */
type Elsewhere = {
  /** Records changed in bulk. */
  readonly changed: readonly string[]
  readonly views: readonly string[]
  /** Names of the collections whose fields are to be opened. */
  readonly definitions: readonly string[]
  /** Pending and failed imports. */
  readonly imports: readonly string[]
  /** The URL of a cell in a policy. */
  readonly cell: string
  /** The search text that finds the users with attributes. */
  readonly noted: string
  /** The page where invited users set a password. */
  readonly invitations: readonly string[]
}

/** A page, and what to open on it. */
type Stop = { readonly path: string; readonly act?: () => Promise<void> }

/** A page on which clicking every button would end the sessions of other workers. */
const NOT_PRESSED = '/account/sessions'
/** Buttons that open something, including list tools that show their current settings. */
const OPENERS = '#main [aria-haspopup]'
const SET_TOOLS = `${OPENERS}:has(.tool-state)`
const FEW_FIELDS = 6

/** Opens every page and everything that can be opened on it, with a check at each step. */
export async function walkThrough(browser: WatchedBrowser, walk: Walk): Promise<number> {
  const { page, context, look } = browser
  const { record, isLong, language } = walk
  await context.addCookies([{ name: 'language', value: language, url: new URL(page.url()).origin }])
  let pages = 0
  const visit = async ({ path, act }: Stop): Promise<void> => {
    await goTo(browser, path, isLong)
    await look(page)
    await act?.()
    pages += 1
  }
  const opened = elsewhere(browser, walk)
  const isThere = ({ path, act }: Stop) => act === undefined && opened.some((one) => one.path === path)
  for (const stop of [...opened, ...everyPage(browser, walk).filter((one) => !isThere(one))]) await visit(stop)
  await walkAsGuest(browser, walk)
  if (!isLong) return pages
  const list = `/collections/${walk.collection}`
  for (const query of ['search=pwned', 'group=select', 'group=text', 'filter=text%20~%20%22pwned%22', 'sort=-text']) {
    await visit({ path: `${list}?perPage=all&${query}` })
  }
  await page.setViewportSize({ width: 375, height: 812 })
  for (const path of [list, `${list}?group=select`, `${list}/${record}`, '/']) await visit({ path })
  await page.setViewportSize({ width: 1440, height: 900 })
  await visit({ path: '/import', act: () => chooseImport(browser) })
  await visit({ path: `${list}?perPage=all`, act: () => exportList(browser) })
  await visit({ path: `${list}/${walk.records.at(-1) ?? record}`, act: () => deleteRecord(browser) })
  return pages
}

export async function walkToPasskeys(browser: WatchedBrowser, isLong: boolean): Promise<void> {
  const again = () => goTo(browser, '/account/security', isLong)
  await again()
  await browser.look(browser.page)
  if (isLong) await pressAll(browser, again)
}

async function goTo(browser: WatchedBrowser, path: string, isLong: boolean): Promise<void> {
  await browser.page.goto(path)
  await settle(browser, isLong)
}

/** Every route; the thorough run clicks and opens everything on each page. */
function everyPage(browser: WatchedBrowser, { isThorough, ...walk }: Walk): readonly Stop[] {
  const actOn = async (path: string): Promise<void> => {
    const again = () => goTo(browser, path, true)
    await pressAll(browser, again)
    await again()
    await openAll(browser, OPENERS)
  }
  return pagesOf(walk).map(({ path }) =>
    isThorough && path !== NOT_PRESSED ? { path, act: () => actOn(path) } : { path },
  )
}

function elsewhere(browser: WatchedBrowser, walk: Walk): readonly Stop[] {
  const { page, look } = browser
  const { isLong, record } = walk
  const list = `/collections/${walk.collection}`
  const print = async (): Promise<void> => {
    await searchInPalette(browser)
    await page.emulateMedia({ media: 'print' })
    await look(page)
    await page.emulateMedia({ media: 'screen' })
  }
  const dialog = async (): Promise<void> => {
    await settlesInTime(page.getByRole('dialog').locator('input').first().waitFor({ timeout: WAIT_MS }))
    await look(page)
  }
  const most = isLong ? Number.POSITIVE_INFINITY : FEW_FIELDS
  return [
    ...[...(isLong ? walk.records : walk.records.slice(-1)), ...walk.changed.slice(0, 1)].map((id) => ({
      path: `${list}/${id}`,
    })),
    { path: `${list}/${record}`, act: () => openFiles(browser, isLong) },
    { path: list, act: print },
    ...walk.views.map((view) => ({
      path: `${list}?view=${view}`,
      act: () => openAll(browser, isLong ? OPENERS : SET_TOOLS),
    })),
    ...walk.definitions.map((name) => ({
      path: `/collections/${name}/settings`,
      act: () => openFields(browser, most),
    })),
    ...walk.imports.map((id) => ({ path: `/import?import=${id}` })),
    { path: walk.cell, act: dialog },
    { path: '/settings/users', act: () => openNotes(browser, walk.noted) },
  ]
}

async function walkAsGuest({ page, enter, look, tell }: WatchedBrowser, { invitations, language, isLong }: Walk) {
  const context = await enter()
  await context.addCookies([{ name: 'language', value: language, url: new URL(page.url()).origin }])
  const tab = await context.newPage()
  for (const path of ['/login', ...invitations.slice(0, isLong ? invitations.length : 1)]) {
    await tab.goto(path)
    if (!(await settlesInTime(tab.locator('input[type=password]').waitFor({ timeout: WAIT_MS }))))
      tell(tab, 'no one can sign in')
    await look(tab)
  }
  await context.close()
}

const BUSY = '[aria-busy="true"], .mantine-Skeleton-root'
const REAUTHENTICATION = '[role=dialog] input[type=password]'

/**
 * Waits until a page has its heading and expected content; if they are missing, reports the page, because a text on it
 * may be the cause.
 */
async function settle(browser: WatchedBrowser, isLong: boolean): Promise<void> {
  const { page, tell, unanswered } = browser
  const hasHead = await settlesInTime(page.getByRole('heading', { level: 1 }).first().waitFor())
  if (isLong) await settlesInTime(page.waitForLoadState('networkidle'))
  const come = ([busy, proof]: readonly [string, string]) =>
    document.querySelector(busy) === null || document.querySelector(proof) !== null
  const isWhole = await settlesInTime(page.waitForFunction(come, [BUSY, REAUTHENTICATION] as const))
  if (!hasHead) tell(page, 'it does not load')
  if (new URL(page.url()).pathname === '/login') tell(page, 'the session has ended')
  if (await page.locator(REAUTHENTICATION).isVisible()) return prove(browser, isLong)
  // If a passkey alone was enough to re-authenticate, the page has already been visited.
  if (isWhole || (await page.getByRole('dialog').isVisible())) return
  const left = await page.locator(BUSY).evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 300)))
  tell(page, `it is incomplete: ${left.join(' ')}; pending: ${unanswered().join(', ')}`)
}

/** Re-authenticates, because a walk takes longer than the 15 minutes for which a re-authentication is valid. */
async function prove(browser: WatchedBrowser, isLong: boolean): Promise<void> {
  const { page, look, tell } = browser
  await look(page)
  await page.locator(REAUTHENTICATION).fill(OWNER.password)
  await page.keyboard.press('Enter')
  const isTaken = await settlesInTime(page.locator(REAUTHENTICATION).waitFor({ state: 'hidden' }))
  if (isTaken) return settle(browser, isLong)
  tell(page, 're-authentication failed')
}
