import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { test } from '#tests/support/browser/browser-page.ts'

/** Output folder for screenshots of the boards in docs/design.md, such as `docs/pictures/design`; unset by default. */
const FOLDER = process.env['DOSSIER_DESIGN_PICTURES']

const tokens = readFileSync(new URL('../../../web/ui/theme/tokens.css', import.meta.url), 'utf8')
const page1440 = { width: 1440, height: 900 }

/** All color tokens. */
const COLORS = [...tokens.matchAll(/--([\w-]+): light-dark\(#/g)].map(([, name]) => name ?? '')

const SIZES = [12, 13, 14, 16, 20, 28]
const FACES = [
  { token: 'font-ui', words: 'Inter: 3,201 records' },
  { token: 'font-document', words: 'Source Serif: a record’s words' },
  { token: 'font-code', words: 'JetBrains: status = 3' },
]

async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  const taken = await page.locator('#board').screenshot({ animations: 'disabled' })
  await sharp(taken)
    .webp({ quality: 88 })
    .toFile(join(FOLDER, `${name}.webp`))
}

/** Renders a board over the page, using the page's tokens and fonts. */
const draw = (page: Page, html: string): Promise<void> =>
  page.evaluate((inside) => {
    document.querySelector('#board')?.remove()
    const board = document.createElement('div')
    board.id = 'board'
    board.setAttribute(
      'style',
      'position:fixed;inset:0 0 auto;z-index:99999;padding:32px;background:var(--paper);color:var(--ink);display:grid;gap:12px',
    )
    board.innerHTML = inside
    document.body.append(board)
  }, html)

const swatch = (name: string) =>
  `<div><div data-swatch="${name}" style="height:56px;border:1px solid var(--hairline);border-radius:6px;background:var(--${name})"></div>
   <div style="margin-top:4px;font-size:12px;color:var(--muted)">--${name}</div></div>`

test('every color token is valid in light and dark mode, and the backgrounds differ', async ({ page }) => {
  await page.setViewportSize(page1440)
  await page.goto('/login')
  await draw(
    page,
    `<div style="display:grid;grid-template-columns:repeat(8,1fr);gap:16px">${COLORS.map(swatch).join('')}</div>`,
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const shown = await page
      .locator('[data-swatch]')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
    expect(shown.filter((color) => !color.startsWith('rgb('))).toEqual([])
    const [paper, surface, sunken] = ['paper', 'surface', 'sunken'].map((name) => shown[COLORS.indexOf(name)])
    expect(new Set([paper, surface, sunken]).size).toBe(3)
    await picture(page, `color-rules-${colorScheme}`)
  }
})

test('three font families are shown in six sizes and served from the same origin', async ({ page, baseURL }) => {
  const fetched: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fetched.push(request.url())
  })
  await page.setViewportSize(page1440)
  await page.goto('/login')
  const line = (face: string, words: string, size: number) =>
    `<div style="font-family:var(--${face});font-size:${size}px;line-height:1.35">${words}</div>`
  const column = ({ token, words }: (typeof FACES)[number]) =>
    `<div style="display:grid;gap:12px">${SIZES.map((size) => line(token, words, size)).join('')}</div>`
  const columns = FACES.map(column).join('')
  await draw(page, `<div style="display:grid;grid-template-columns:repeat(3,1fr);gap:24px">${columns}</div>`)
  await page.evaluate(() => document.fonts.ready)
  for (const family of ['Inter Variable', 'Source Serif 4 Variable', 'JetBrains Mono Variable'])
    await expect.poll(() => page.evaluate((name) => document.fonts.check(`16px "${name}"`), family)).toBe(true)
  expect(fetched.filter((url) => !url.startsWith(baseURL ?? 'nowhere'))).toEqual([])
  await picture(page, 'letters')
})
