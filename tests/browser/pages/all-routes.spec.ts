import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { IS_DAILY } from '#tests/support/test-tier.ts'
import {
  routesOfRouter,
  SIGNED_OUT,
  signedInVisits,
  type Visit,
  visit,
  WITH_SAMPLE,
} from '#tests/support/browser/all-pages.ts'
import { ADA, signIn } from '#tests/support/browser/session-page.ts'

// Reduced motion, because CSS transitions would change the checked colors.
test.use({ serverSettings: WITH_SAMPLE, contextOptions: { reducedMotion: 'reduce' } })

/** Folder for page screenshots, such as `docs/pictures/pages`, if requested. */
const FOLDER = process.env['DOSSIER_PAGE_PICTURES']

/** The daily test run checks each color scheme and each width once. */
const APPEARANCES = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 375 },
  ...(IS_DAILY
    ? []
    : ([
        { colorScheme: 'light', width: 375 },
        { colorScheme: 'dark', width: 1440 },
      ] as const)),
] as const

async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  const taken = await page.screenshot({ animations: 'disabled' })
  await sharp(taken)
    .webp({ quality: 82 })
    .toFile(join(FOLDER, `${name}.webp`))
}

/** Returns the axe findings of these pages in each color scheme and window width. */
async function checker(page: Page, visits: readonly Visit[]): Promise<readonly string[]> {
  const findings: string[] = []
  for (const { name, path } of visits) {
    await visit(page, path)
    for (const { colorScheme, width } of APPEARANCES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 })
      const found = await axeFindings(page)
      findings.push(...found.map((finding) => `${name} ${colorScheme} ${width}: ${finding}`))
      await picture(page, `${name}-${colorScheme}-${width}`)
    }
  }
  return findings
}

test('every route of the app is visited', async ({ server }) => {
  const visited = [...SIGNED_OUT, ...(await signedInVisits(server.url))].map(({ route }) => route)
  expect(routesOfRouter().filter((route) => !visited.includes(route))).toEqual([])
  expect(routesOfRouter().length).toBeGreaterThan(20)
})

test('axe finds no violations on guest pages in light and dark mode, wide and narrow', async ({ page }) => {
  test.setTimeout(300_000)
  expect(await checker(page, SIGNED_OUT)).toEqual([])
})

test('axe finds no violations on signed-in pages', async ({ page, server }) => {
  test.setTimeout(900_000)
  const visits = await signedInVisits(server.url)
  await signIn(page, ADA)
  expect(await checker(page, visits)).toEqual([])
})
