import { expect, type Page, type Request } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { SIGNED_OUT, visit, visitsOf } from '#tests/support/browser/all-pages.ts'
import { slowDown, watchShifts } from '#tests/support/browser/layout-shifts.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, viewport: { width: 1440, height: 900 } })

const SIZES = [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]

/** CPU slowdown factor; layout shifts aren't allowed even at this speed. */
const SLOWER = 4

/** Delay in ms of the last API response, so that it arrives after all others. */
const LATE_MS = 700

async function makeBuoys(url: string, label: string): Promise<string> {
  const { ask } = await asProgram(url, ADA)
  const depths = Array.from({ length: 12 }, (_, at) => ({ label: `Depth ${at}`, kind: 'number' }))
  const fields = [{ label: 'Title', kind: 'text' }, ...depths, { label: 'Notes', kind: 'rich-text' }]
  const { id } = (await ask('POST', '/api/collections', { label, fields })) as { id: string }
  for (let at = 1; at <= 60; at += 1) {
    await ask('POST', `/api/collections/${label.toLowerCase()}/records`, {
      values: { title: `Buoy ${at}`, depth0: at },
    })
  }
  return id
}

/** Creates a few cases with a workflow, grouped by status; the list is shorter than the space reserved for it. */
async function makeCases(url: string) {
  const { ask } = await asProgram(url, ADA)
  const collections = (await ask('GET', '/api/collections')) as { items: readonly { name: string }[] }
  if (!collections.items.some(({ name }) => name === 'cases')) {
    await ask('POST', '/api/templates/cases/use', { withExamples: true })
    await makeBuoys(url, 'Buoys')
  }
  const { items } = (await ask('GET', '/api/collections/cases/records')) as { items: readonly { id: string }[] }
  const record = items[0]?.id ?? ''
  return {
    ask,
    lists: [
      '/collections/cases',
      '/collections/cases?view=all',
      `/collections/cases?open=${record}&at=0`,
      `/collections/cases/${record}`,
      '/collections/buoys?sort=-depth0&filter=depth0 > 7',
    ],
  }
}

/** Opens pages with a throttled CPU, in wide and narrow windows; returns the elements that shifted. */
async function seeMoving(page: Page, paths: readonly string[]): Promise<readonly string[]> {
  const shifts = await watchShifts(page)
  const seen: string[] = []
  await slowDown(page, SLOWER)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const path of paths) {
      await visit(page, path)
      seen.push(...(await shifts()).map((what) => `${path} at ${size.width}: ${what}`))
    }
  }
  await slowDown(page, 1)
  return seen
}

test('guest pages have no layout shift', async ({ page }) => {
  test.setTimeout(300_000)
  const paths = SIGNED_OUT.map(({ path }) => path)
  expect(await seeMoving(page, paths)).toEqual([])
})

test('signed-in pages have no layout shift, on desktop and phone', async ({ page, server }) => {
  test.setTimeout(600_000)
  await signIn(page, ADA)
  expect(await seeMoving(page, ['/']), 'an empty workspace').toEqual([])
  const { ask, lists } = await makeCases(server.url)
  const visits = await visitsOf(ask)
  expect(await seeMoving(page, [...lists, ...visits.map(({ path }) => path)])).toEqual([])
})

test('a late response causes no layout shift', async ({ page, server }) => {
  test.setTimeout(600_000)
  const { lists } = await makeCases(server.url)
  await signIn(page, ADA)
  const shifts = await watchShifts(page)
  const seen: string[] = []
  const seeLate = async (path: string): Promise<void> => {
    for (const late of await readsOf(page, path)) {
      const isLate = ({ href }: URL) => href === late
      await page.route(isLate, async (route) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        setTimeout(resolve, LATE_MS)
        await promise
        await route.fallback()
      })
      // The network only becomes idle after the delayed response, so `visit` waits for it.
      await visit(page, path)
      seen.push(...(await shifts()).map((what) => `${path} with ${late} late: ${what}`))
      await page.unroute(isLate)
    }
  }
  for (const path of [...lists, '/']) await seeLate(path)
  // Grouped cards on a phone-sized screen.
  await page.setViewportSize({ width: 375, height: 812 })
  await seeLate('/collections/cases')
  expect(seen).toEqual([])
})

/** Collects the API requests sent while a page loads. */
async function readsOf(page: Page, path: string): Promise<readonly string[]> {
  const reads = new Set<string>()
  const note = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/') && request.resourceType() === 'fetch') {
      reads.add(request.url())
    }
  }
  page.on('request', note)
  await visit(page, path)
  page.off('request', note)
  return [...reads]
}

test('hovering over a link prefetches its page, which then opens without a delay', async ({ page, server }) => {
  const id = await makeBuoys(server.url, 'Moorings')
  await signIn(page, ADA)
  const reads: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET') reads.push(pathname + search)
  })
  const list = page.getByRole('navigation').getByRole('link', { name: /Moorings/ })
  // While the sidebar loads, other links may move under the pointer, so only this collection's requests are counted.
  const areViews = (path: string) => path === `/api/collections/${id}/views`
  await list.hover()
  await expect.poll(() => reads.filter(areViews)).toHaveLength(1)
  await list.click()
  const title = page.getByRole('link', { name: 'Buoy 1', exact: true })
  await expect(title).toBeVisible()
  expect(reads.filter(areViews)).toHaveLength(1)

  await title.click()
  // Without `expand`, the response contains only the record's name.
  const isRecord = (path: string) => /^\/api\/collections\/moorings\/records\/\w+\?expand=/.test(path)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Buoy 1')
  await page.goto('/')
  reads.length = 0
  const recent = page.getByRole('main').getByRole('link', { name: /Buoy 1/ })
  await recent.hover()
  await expect.poll(() => reads.filter(isRecord)).toHaveLength(1)
  // The page revalidates its data, but the response never arrives.
  await page.route(
    ({ pathname, search }) => isRecord(pathname + search),
    () => undefined,
  )
  await recent.click()
  await expect(page.getByRole('heading', { name: 'Buoy 1', exact: true })).toBeVisible()
})

test('going back shows the list immediately at the same scroll position', async ({ page, server }) => {
  await makeBuoys(server.url, 'Beacons')
  await signIn(page, ADA)
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
  await expect(page.locator('main .mantine-Skeleton-root')).toHaveCount(0)

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

  await test.step('the scroll position is restored after a reload, before anything is loaded', async () => {
    await page.reload()
    await expect(page.getByRole('link', { name: 'Buoy 1', exact: true })).toBeAttached()
    await expect.poll(place).toBe(before)
  })
  await test.step('the next page starts at the top, and going back restores the scroll position', async () => {
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByRole('link', { name: 'Buoy 51', exact: true })).toBeInViewport()
    expect(await place()).toBe(0)
    await page.goBack()
    await expect.poll(place).toBe(before)
  })
  await test.step('the scroll position is also restored on a page whose content loads later', async () => {
    await page.setViewportSize({ width: 1280, height: 420 })
    await page.goto('/account/security')
    await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible()
    await page.getByRole('main').hover()
    await page.mouse.wheel(0, 200)
    await expect.poll(place).toBe(200)
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click()
    await expect(page).toHaveURL(/\/$/)
    await page.reload()
    await page.goBack()
    await expect.poll(place).toBe(200)
  })
})
