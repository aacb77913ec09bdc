import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser-page.ts'
import { ADA, accountOf, asProgram, fillLogin, WITH_ADA } from '#tests/support/session-page.ts'

test.use({ serverSettings: WITH_ADA, viewport: { width: 1440, height: 900 } })

type Shift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean }

/** A number that grows beside others moves them by less than an eye sees. */
const UNSEEN = 0.001

/** How far what was drawn has moved since the page was opened, without anybody's doing. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    localStorage.setItem('dossier.tours', 'off')
    const shifted = { sum: 0 }
    Object.assign(globalThis, { shifted })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) shifted.sum += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { shifted: { sum: number } }).shifted.sum)
}

async function makeBuoys(url: string, label: string): Promise<string> {
  const { ask } = await asProgram(url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Depth', kind: 'number' },
    { label: 'Notes', kind: 'rich-text' },
  ]
  await ask('POST', '/api/collections', { label, fields })
  let id = ''
  for (let at = 1; at <= 60; at += 1) {
    const made = await ask('POST', `/api/collections/${label.toLowerCase()}/records`, {
      values: { title: `Buoy ${at}`, depth: at },
    })
    id = String(made['id'])
  }
  return id
}

test('nothing moves by itself while a page comes', async ({ page, server }) => {
  const record = await makeBuoys(server.url, 'Buoys')
  const shifts = await watchShifts(page)
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await shifts(), 'sign-in').toBe(0)
  await fillLogin(page, ADA)
  await expect(accountOf(page, ADA)).toBeVisible()

  const pages = [
    ['/', page.getByRole('main').getByRole('link', { name: /Buoys/ }).first()],
    ['/collections/buoys', page.getByRole('link', { name: 'Buoy 1', exact: true })],
    [`/collections/buoys/${record}`, page.getByRole('heading', { level: 1 })],
  ] as const
  for (const [path, sign] of pages) {
    await page.goto(path)
    await expect(sign).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await shifts(), path).toBeLessThan(UNSEEN)
  }
})

test('going back shows the list at once, where it was', async ({ page, server }) => {
  await makeBuoys(server.url, 'Beacons')
  await watchShifts(page)
  await page.goto('/login')
  await fillLogin(page, ADA)
  await expect(accountOf(page, ADA)).toBeVisible()
  await page.goto('/collections/beacons?perPage=50')
  await expect(page.getByRole('link', { name: 'Buoy 1', exact: true })).toBeVisible()
  const place = () =>
    page.evaluate(() => Math.max(...[...document.querySelectorAll('*')].map(({ scrollTop }) => scrollTop)))
  await page.getByRole('grid').hover()
  await page.mouse.wheel(0, 600)
  await expect.poll(place).toBeGreaterThan(300)
  const before = await place()
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click()
  await expect(page.getByRole('grid')).toHaveCount(0)

  await page.evaluate(() => {
    const seen = { skeletons: 0 }
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      seen.skeletons = Math.max(seen.skeletons, document.querySelectorAll('main .mantine-Skeleton-root').length)
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.goBack()
  await expect(page.getByRole('grid')).toBeVisible()
  await expect.poll(place).toBe(before)
  expect(
    await page.evaluate(() => (globalThis as unknown as { seen: { skeletons: number } }).seen.skeletons),
    'skeletons',
  ).toBe(0)
})
