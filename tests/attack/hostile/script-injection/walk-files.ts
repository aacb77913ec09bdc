import { settlesInTime, WAIT_MS } from './open-everything.ts'
import type { WatchedBrowser } from './watched-browser.ts'

/** Number of files that the short run opens in the viewer; all files are opened at their own URLs. */
const FEW_LOOKED_AT = 6

/** Opens each file of the record in the viewer, then at its own URL, inline and as a download. */
export async function openFiles(browser: WatchedBrowser, isLong: boolean): Promise<void> {
  const { page, context, look } = browser
  // If there are many files, only the first are shown, and there are two buttons: the first shows all files, the second
  // downloads them.
  const ways = page.locator('.files-input .files-all')
  if ((await ways.count()) > 1) await ways.first().click()
  const links = page.locator('a[download][href*="/api/files/"]')
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  if (await settlesInTime(page.locator('.file-face').first().click({ timeout: WAIT_MS }))) {
    for (const _ of isLong ? addresses : addresses.slice(0, FEW_LOOKED_AT)) {
      if (isLong)
        await settlesInTime(page.locator('.file-viewer-waiting').waitFor({ state: 'hidden', timeout: WAIT_MS }))
      await look(page)
      await page.keyboard.press('ArrowRight')
    }
    await page.keyboard.press('Escape')
  }
  const tab = await context.newPage()
  for (const address of addresses) {
    const shown = address.replace(/[?&]download=/, (sign) => (sign.startsWith('?') ? '?' : ''))
    // Navigation to a download is aborted.
    for (const one of isLong ? [shown, address] : [shown]) await settlesInTime(tab.goto(one))
    await checkHeaders(browser, { shown, kept: address })
  }
  await tab.close()
}

/** The opened file must be the one that was sent, and no browser may interpret it as something else. */
async function checkHeaders(
  { page, context, marks, tell }: WatchedBrowser,
  { shown, kept }: { readonly shown: string; readonly kept: string },
): Promise<void> {
  const [inline, attached] = await Promise.all([context.request.get(shown), context.request.get(kept)])
  marks.open(await inline.text())
  for (const answer of [inline, attached]) {
    if (!isSafelySent(answer.headers(), answer === attached)) tell(page, `${answer.url()} can be interpreted as a page`)
  }
}

/** Whether a response has exactly its declared type, and is a download if requested. */
export function isSafelySent(headers: Readonly<Record<string, string>>, isAttached: boolean): boolean {
  const isSaved = headers['content-disposition']?.startsWith('attachment') === true
  return headers['x-content-type-options'] === 'nosniff' && (isSaved || !isAttached)
}
