import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { IS_DAILY } from '#tests/support/test-tier.ts'
import { axeFindings } from './axe-findings.ts'
import { caretSettled } from './editor-page.ts'

/** Folder for screenshots, if requested. */
const PICTURES = process.env['DOSSIER_PICTURES']

/** In the daily tier, each color scheme and each width once. */
export const APPEARANCES = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 375 },
  ...(IS_DAILY
    ? []
    : ([
        { colorScheme: 'light', width: 375 },
        { colorScheme: 'dark', width: 1440 },
      ] as const)),
] as const

/** Shows the page in one appearance; reduced motion, because CSS transitions would change the checked colors. */
export async function showIn(page: Page, { colorScheme, width }: (typeof APPEARANCES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: width === 375 ? 812 : 900 })
  // Waits until the sidebar has closed after the resize.
  await caretSettled(page)
}

/** Checks a page with axe, and that it doesn't overflow, in each appearance; takes screenshots if requested. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  for (const appearance of APPEARANCES) {
    await showIn(page, appearance)
    const where = `${name}, ${appearance.colorScheme}, ${appearance.width}`
    expect(await axeFindings(page), where).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `width beyond the window: ${where}`).toBeLessThanOrEqual(0)
    if (PICTURES === undefined) continue
    mkdirSync(PICTURES, { recursive: true })
    const file = `${name}-${appearance.colorScheme}-${appearance.width}.png`
    await page.screenshot({ path: join(PICTURES, file), animations: 'disabled' })
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(size)
}
