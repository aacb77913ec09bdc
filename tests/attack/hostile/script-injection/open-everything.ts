import type { WatchedBrowser } from './watched-browser.ts'

/** Time limit for a page. */
export const WAIT_MS = 4_000
const MAX_BUTTONS = 15
const MAX_OPENED = 60
const SOON_MS = 1_000

/** Elements that a button can open: menus, lists, panels, dialogs. */
const OPENED = ':is([role=menu], [role=listbox], [role=dialog]):visible'

/** Whether a step finished in time; a timeout isn't caused by the tested text. */
export const settlesInTime = (what: Promise<unknown>): Promise<boolean> =>
  what.then(
    () => true,
    () => false,
  )

/** Clicks every button on a page, and checks the menus, lists, dialogs and errors that appear. */
export async function pressAll({ page, look }: WatchedBrowser, again: () => Promise<void>): Promise<void> {
  const at = new URL(page.url()).pathname
  const buttons = page.locator('#main button:visible:enabled:not([type=submit])')
  const count = Math.min(await buttons.count(), MAX_BUTTONS)
  for (let nth = 0; nth < count; nth += 1) {
    if (!(await settlesInTime(buttons.nth(nth).click({ timeout: 500 })))) continue
    await look(page)
    await page.keyboard.press('Escape')
    const isElsewhere = new URL(page.url()).pathname !== at
    if (isElsewhere || (await page.locator('[role=dialog]:visible').count()) > 0) await again()
  }
}

/** Opens each menu and panel whose button matches a selector, checks it, and closes it. */
export async function openAll({ page, look }: WatchedBrowser, selector: string): Promise<void> {
  const openers = page.locator(`${selector}:visible`)
  const count = Math.min(await openers.count(), MAX_OPENED)
  const opened = page.locator(OPENED).first()
  for (let nth = 0; nth < count; nth += 1) {
    if (!(await settlesInTime(openers.nth(nth).click({ timeout: 500 })))) continue
    await settlesInTime(opened.waitFor({ timeout: WAIT_MS }))
    await look(page)
    await page.keyboard.press('Escape')
    await settlesInTime(opened.waitFor({ state: 'hidden', timeout: SOON_MS }))
  }
}

/** Opens the settings of a collection's last fields. */
export async function openFields({ page, look, tell }: WatchedBrowser, most: number): Promise<void> {
  const fields = page.locator('.field-open')
  const count = await fields.count()
  const dialog = page.getByRole('dialog')
  for (let nth = Math.max(0, count - most); nth < count; nth += 1) {
    await fields.nth(nth).click()
    if (!(await settlesInTime(dialog.locator('input').first().waitFor({ timeout: WAIT_MS }))))
      tell(page, `field ${nth + 1} can't be opened`)
    await look(page)
    await page.keyboard.press('Escape')
    await settlesInTime(dialog.waitFor({ state: 'hidden', timeout: WAIT_MS }))
  }
}

/** Opens the roles and attributes of the first invited user found by a search. */
export async function openNotes({ page, look, tell }: WatchedBrowser, words: string): Promise<void> {
  const first = page.locator('#main .line').first()
  await page.locator('.users-filter input').first().fill(words)
  await settlesInTime(first.getByText(words).waitFor({ timeout: WAIT_MS }))
  await first.locator('[aria-haspopup=menu]').click()
  await look(page)
  // The first menu item resends the invitation, the second opens roles and attributes.
  await page.getByRole('menuitem').nth(1).click()
  if (!(await settlesInTime(page.getByRole('dialog').locator('input').first().waitFor({ timeout: WAIT_MS }))))
    tell(page, 'the roles and attributes do not open')
  await look(page)
  await page.keyboard.press('Escape')
}
