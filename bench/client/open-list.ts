import { chromium, type Page } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/browser/chromium.ts'
import { fillLogin } from '#tests/support/browser/session-page.ts'

/** Record list opened in a browser, with request counters. */
export type OpenedList = {
  readonly page: Page
  /** Number of row requests sent, answered and aborted. */
  readonly requests: () => { readonly sent: number; readonly answered: number; readonly calledOff: number }
  /** Memory used by the page after garbage collection. */
  readonly weigh: () => Promise<{ readonly heapMb: number; readonly elements: number }>
  readonly close: () => Promise<void>
}

export type ListViewer = { readonly email: string; readonly password: string }

export type SignedInPage = { readonly page: Page; readonly close: () => Promise<void> }

/** Uses the same browser as the tests, without a GPU. */
export async function openSignedIn(url: string, viewer: ListViewer): Promise<SignedInPage> {
  const found = findChromium()
  const browser = await chromium.launch({
    args: [...CHROMIUM_FLAGS],
    ...(found && { executablePath: found.executablePath, env: { ...process.env, ...found.env } }),
  })
  const page = await browser.newPage({ baseURL: url, viewport: { width: 1440, height: 900 } })
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto('/login')
  await fillLogin(page, viewer)
  await page.getByRole('button', { name: /account of/ }).waitFor()
  return { page, close: () => browser.close() }
}

export async function openList(url: string, who: ListViewer): Promise<OpenedList> {
  const { page, close } = await openSignedIn(url, who)
  const seen = { sent: 0, answered: 0, calledOff: 0 }
  const isForRows = (address: string) => /\/records\?.*\bperPage=100\b/.test(address)
  page.on('request', (request) => isForRows(request.url()) && (seen.sent += 1))
  page.on('requestfinished', (request) => isForRows(request.url()) && (seen.answered += 1))
  page.on('requestfailed', (request) => isForRows(request.url()) && (seen.calledOff += 1))
  await page.goto('/collections/items?perPage=all')
  await page.locator('.grid-row:not([aria-busy])').first().waitFor()
  await page.waitForLoadState('networkidle')

  const devTools = await page.context().newCDPSession(page)
  return {
    page,
    requests: () => ({ ...seen }),
    weigh: async () => {
      await devTools.send('HeapProfiler.collectGarbage')
      const { usedSize } = await devTools.send('Runtime.getHeapUsage')
      return { heapMb: usedSize / 1e6, elements: await page.evaluate(() => document.querySelectorAll('*').length) }
    },
    close,
  }
}
