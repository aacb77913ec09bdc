import { settlesInTime, WAIT_MS } from './open-everything.ts'
import type { WatchedBrowser } from './watched-browser.ts'

/** Files the short form looks at over the page; it opens all of them at their own addresses. */
const FEW_LOOKED_AT = 6

/** Looks at each file of the record over the page, then at each at its own address, shown and kept. */
export async function openFiles(browser: WatchedBrowser, isLong: boolean): Promise<void> {
  const { page, context, look } = browser
  // Of very many the first ones are shown: before the button that fetches all stands one that shows them.
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
    // What is kept and not shown ends the way there.
    for (const one of isLong ? [shown, address] : [shown]) await settlesInTime(tab.goto(one))
    await checkHeaders(browser, { shown, kept: address })
  }
  await tab.close()
}

/** What was opened there is what was sent; and no browser may take it for something else. */
async function checkHeaders(
  { page, context, marks, tell }: WatchedBrowser,
  { shown, kept }: { readonly shown: string; readonly kept: string },
): Promise<void> {
  const [inline, attached] = await Promise.all([context.request.get(shown), context.request.get(kept)])
  marks.open(await inline.text())
  for (const answer of [inline, attached]) {
    if (!isSafelySent(answer.headers(), answer === attached)) tell(page, `${answer.url()} can be taken for a page`)
  }
}

/** Whether what is sent is taken for nothing but what it says it is, and saved where that was asked. */
export function isSafelySent(headers: Readonly<Record<string, string>>, isAttached: boolean): boolean {
  const isSaved = headers['content-disposition']?.startsWith('attachment') === true
  return headers['x-content-type-options'] === 'nosniff' && (isSaved || !isAttached)
}
