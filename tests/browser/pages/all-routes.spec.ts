import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import {
  routesOfRouter,
  SIGNED_OUT,
  signedInVisits,
  type Visit,
  visit,
  WITH_SAMPLE,
} from '#tests/support/browser/all-pages.ts'
import { APPEARANCES, showIn } from '#tests/support/browser/look-at.ts'
import { IS_DAILY } from '#tests/support/test-tier.ts'
import { ADA, signIn } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_SAMPLE })
test.describe.configure({ mode: 'parallel' })

/** Folder for page screenshots, such as `docs/pictures/pages`, if requested. */
const FOLDER = process.env['DOSSIER_PAGE_PICTURES']

async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  const taken = await page.screenshot({ animations: 'disabled' })
  await sharp(taken)
    .webp({ quality: 82 })
    .toFile(join(FOLDER, `${name}.webp`))
}

/** Returns the axe findings of these pages in each appearance; in the daily tier, each page is seen in one of them. */
async function checker(page: Page, visits: readonly Visit[]): Promise<readonly string[]> {
  const findings: string[] = []
  for (const [at, { name, path }] of visits.entries()) {
    await visit(page, path)
    const one = at % APPEARANCES.length
    for (const appearance of IS_DAILY ? APPEARANCES.slice(one, one + 1) : APPEARANCES) {
      await showIn(page, appearance)
      const { colorScheme, width } = appearance
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

test('axe finds no violations on guest pages', async ({ page }) => {
  test.setTimeout(300_000)
  expect(await checker(page, SIGNED_OUT)).toEqual([])
})

/** Workers share the pages, so that none is left with all of them at the end. */
const PARTS = 3

for (let part = 1; part <= PARTS; part += 1) {
  test(`axe finds no violations on signed-in pages, part ${part}`, async ({ page, server }) => {
    test.setTimeout(900_000)
    const visits = (await signedInVisits(server.url)).filter((_, at) => at % PARTS === part - 1)
    await signIn(page, ADA)
    expect(await checker(page, visits)).toEqual([])
  })
}
