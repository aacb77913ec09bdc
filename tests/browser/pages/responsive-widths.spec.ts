import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { SIGNED_OUT, signedInVisits, type Visit, visit, WITH_SAMPLE } from '#tests/support/browser/all-pages.ts'
import { ADA, signIn } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_SAMPLE })

/** From the smallest phone to the widest screen; 720×450 corresponds to 1440×900 at 200 % zoom. */
const SIZES = [
  { width: 320, height: 640 },
  { width: 375, height: 812 },
  { width: 720, height: 450 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]

/** Returns elements that overflow horizontally and controls that can't be reached. */
const outside = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className.toString().split(' ')[0] ?? ''} “${(element.textContent ?? '').slice(0, 30)}”`
    const wide = [document.documentElement, document.querySelector('#main')]
      .filter((element): element is Element => element !== null)
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => `${nameOf(element)} is ${element.scrollWidth} wide in ${element.clientWidth}`)
    const scrolls = (element: Element | null): boolean => {
      for (let at = element?.parentElement ?? null; at !== null; at = at.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true
      }
      return false
    }
    const beyond = [...document.querySelectorAll('a, button, input, select, textarea, h1, h2')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => !scrolls(element))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (left < -1 || right > window.innerWidth + 1)
      })
      .map((element) => `${nameOf(element)} lies beyond the edge`)
    return [...wide, ...beyond]
  })

async function checker(page: Page, visits: readonly Visit[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name, path } of visits) {
    await visit(page, path)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      // Waits until panes have measured themselves and re-rendered.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      found.push(...(await outside(page)).map((what) => `${name} at ${size.width}: ${what}`))
    }
  }
  return found
}

test('no guest page overflows between 320 and 2560 pixels', async ({ page }) => {
  test.setTimeout(240_000)
  expect(await checker(page, SIGNED_OUT)).toEqual([])
})

test('no signed-in page overflows', async ({ page, server }) => {
  test.setTimeout(600_000)
  const visits = await signedInVisits(server.url)
  await signIn(page, ADA)
  expect(await checker(page, visits)).toEqual([])
})
