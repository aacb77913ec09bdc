import { rm } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { test as base } from '#tests/support/browser/browser-page.ts'
import { preparedList } from '#tests/support/browser/prepared-list.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { startServer } from '#tests/support/server/started-server.ts'

const RECORDS = 1_000_000

/** All tests here use one list of a million records. */
const test = base.extend({
  server: [
    async ({ serverSettings }, use) => {
      const dataFolder = await preparedList(RECORDS)
      const server = await startServer({ ...serverSettings, dataFolder })
      await use(server)
      await server.stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

test.use({ locale: 'en-US' })
test.use({ serverSettings: WITH_ADA })
test.setTimeout(240_000)

const scrollerOf = (page: Page): Locator => page.locator('.grid-scroller')

/** Visible titles from top to bottom; rows that are still loading are shown as “…”. */
const titlesInSight = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const frame = document.querySelector('.grid-scroller')?.getBoundingClientRect()
    const head = document.querySelector('.grid-header')?.getBoundingClientRect()
    if (!frame || !head) return []
    const rows = [...document.querySelectorAll('.grid-body > .grid-row')].map((row) => ({
      box: row.getBoundingClientRect(),
      title: row.hasAttribute('aria-busy') ? '…' : (row.querySelector('[data-title]')?.textContent ?? ''),
    }))
    return rows
      .filter(({ box }) => box.bottom > head.bottom + 1 && box.top < frame.bottom - 1)
      .toSorted((one, other) => one.box.top - other.box.top)
      .map(({ title }) => title)
  })

/** Whether every visible row is loaded. */
const areAllThere = async (page: Page): Promise<boolean> =>
  (await titlesInSight(page)).every((title) => title.startsWith('Parcel '))

/** Moves the scroll bar to a position. */
const dragTo = (page: Page, share: number): Promise<void> =>
  scrollerOf(page).evaluate((it, at) => {
    it.scrollTop = at * (it.scrollHeight - it.clientHeight)
  }, share)

/** Completely visible: not clipped by the scroll container. */
async function expectWhole(page: Page, title: string): Promise<void> {
  const row = page.locator('.grid-row').filter({ has: page.getByText(title, { exact: true }) })
  await expect(row).toBeVisible()
  const isWhole = () =>
    row.evaluate((it) => {
      const frame = it.closest('.grid-scroller')
      const { top, bottom } = it.getBoundingClientRect()
      const edge = (frame?.getBoundingClientRect().top ?? 0) + (frame?.clientHeight ?? 0)
      return top >= 0 && bottom <= edge + 1
    })
  await expect.poll(isWhole, { message: `${title} is in full sight` }).toBe(true)
}

async function openMillion(page: Page): Promise<void> {
  await signIn(page, ADA)
  await page.goto('/collections/parcels?perPage=all')
  await expect(page.getByText('1,000,000 records').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Parcel 1', exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
}

/** Combinations of device pixel ratio and browser zoom; zooming in leaves fewer, larger CSS pixels. */
const SCREENS = [
  { scale: 1, zoom: 1 },
  { scale: 1.25, zoom: 1 },
  { scale: 2, zoom: 1 },
  { scale: 1, zoom: 0.5 },
  { scale: 2, zoom: 0.5 },
  { scale: 1.25, zoom: 1.5 },
  { scale: 2, zoom: 2 },
]

test('the last of a million rows can be reached on every screen and at every zoom level', async ({ page }) => {
  await openMillion(page)
  const devTools = await page.context().newCDPSession(page)
  for (const { scale, zoom } of SCREENS) {
    await test.step(`the last row is reachable at scale ${scale} and a zoom of ${zoom * 100} %`, async () => {
      const [width, height] = [Math.round(1280 / zoom), Math.round(800 / zoom)]
      const deviceScaleFactor = scale * zoom
      await devTools.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false })
      // While the window is being resized, scrolling is still limited to the old maximum.
      await expect(async () => {
        await dragTo(page, 1)
        await expect.poll(async () => (await titlesInSight(page)).at(-1), { timeout: 5000 }).toBe('Parcel 1000000')
      }).toPass()
      await expectWhole(page, 'Parcel 1000000')
      await dragTo(page, 0)
      await expectWhole(page, 'Parcel 1')
    })
  }
})

test('a list of a million rows can be navigated, flick-scrolled, dragged, sorted, grouped and selected', async ({
  page,
}) => {
  const seen = { sent: 0, calledOff: 0 }
  const isForRows = (address: string) => /\/records\?.*\bperPage=100\b/.test(address)
  page.on('request', (request) => isForRows(request.url()) && (seen.sent += 1))
  page.on('requestfailed', (request) => isForRows(request.url()) && (seen.calledOff += 1))
  await openMillion(page)
  const grid = page.getByRole('grid', { name: 'Parcels' })
  await expect(grid).toHaveAttribute('aria-rowcount', '1000001')

  await test.step('keyboard navigation goes from the first row to the last and back', async () => {
    await page.getByRole('gridcell', { name: '7,919' }).click()
    await page.keyboard.press('Control+End')
    await expectWhole(page, 'Parcel 1000000')
    await expect(page.locator(':focus')).toHaveAttribute('aria-colindex', '6')
    expect(
      await page.evaluate(() => document.activeElement?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex')),
    ).toBe('1000001')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('PageUp')
    await expect.poll(async () => (await titlesInSight(page)).includes('Parcel 1000000')).toBe(false)
    await page.keyboard.press('Control+Home')
    await expectWhole(page, 'Parcel 1')
  })

  await test.step("a jump isn't reverted while scrolling settles", async () => {
    const thrownBackTo = await scrollerOf(page).evaluate(async (it) => {
      for (let times = 0; times < 8; times += 1) {
        const scrolled = new Promise((resolve) => it.addEventListener('scroll', resolve, { once: true }))
        it.scrollTop = it.scrollHeight
        await scrolled
        // Jumps just before scrolling settles, so that the browser can't report the jump earlier.
        await new Promise((resolve) => setTimeout(resolve, 112 + times))
        it.scrollTop = 0
        for (let frames = 0; frames < 20; frames += 1) await new Promise(requestAnimationFrame)
        if (it.scrollTop !== 0) return it.scrollTop
      }
      return undefined
    })
    expect(thrownBackTo).toBeUndefined()
    await expectWhole(page, 'Parcel 1')
  })

  await test.step('the last record opens in the side panel, with a link to the previous one', async () => {
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Control+Enter')
    const panel = page.getByRole('region', { name: 'Record in Parcels' })
    await expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('Parcel 1000000')
    await expect(panel).toContainText('1,000,000 of 1,000,000')
    await expect(panel.getByRole('button', { name: 'Previous record' })).toHaveAttribute('aria-disabled', 'false')
    await page.keyboard.press('k')
    await expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('Parcel 999999')
    await expectWhole(page, 'Parcel 999999')
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(page.getByRole('row', { name: /Parcel 999999/ }).locator(':focus')).toHaveCount(1)
  })

  await test.step('the wheel scrolls by pixels, even in the middle of the list', async () => {
    await dragTo(page, 0.5)
    await expect.poll(() => areAllThere(page)).toBe(true)
    await expect.poll(async () => Number((await titlesInSight(page))[0]?.slice(7))).toBeGreaterThan(400_000)
    const before = Number((await titlesInSight(page))[0]?.slice(7))
    await grid.hover()
    for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, 360)
    await expect.poll(async () => Number((await titlesInSight(page))[0]?.slice(7))).toBe(before + 100)
  })

  await test.step('flick scrolling loads the rows at its final position and cancels requests for skipped rows', async () => {
    const before = { ...seen }
    await scrollerOf(page).evaluate(
      (it) =>
        new Promise<void>((resolve) => {
          const endMs = performance.now() + 2000
          const fling = () => {
            it.scrollTop += 5000
            if (performance.now() > endMs) resolve()
            else requestAnimationFrame(fling)
          }
          fling()
        }),
    )
    const sent = seen.sent - before.sent
    // At most two adjacent blocks are requested every 80 ms.
    expect(sent).toBeLessThan(60)
    await expect.poll(() => areAllThere(page)).toBe(true)
    const description = `${sent} requests, ${seen.calledOff - before.calledOff} called off`
    test.info().annotations.push({ type: 'flung for two seconds', description })
  })

  await test.step('the number of rendered elements stays small while scrolling', async () => {
    for (const share of [0.2, 0.8, 0.35, 0.65, 0.9, 0.1]) {
      await dragTo(page, share)
      await expect
        .poll(async () => (await titlesInSight(page)).every((title) => title.startsWith('Parcel ')))
        .toBe(true)
    }
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000)
  })

  await test.step('sorting by a number puts the lowest value first and the highest last', async () => {
    await dragTo(page, 0)
    await page.getByRole('columnheader', { name: /^Weight/ }).click()
    await expect(page).toHaveURL(/sort=weight/)
    await expect.poll(async () => (await titlesInSight(page))[0]).not.toBe('Parcel 1')
    await dragTo(page, 1)
    // The first sort triggers building the database index and the page index.
    await expect.poll(() => areAllThere(page), { timeout: 90_000 }).toBe(true)
    await expect(page.locator('[aria-rowindex="1000001"] [data-align="end"]')).toHaveText(/^1,000,00\d$/)
    await page.getByRole('columnheader', { name: /^Weight/ }).click()
    await expect(page).toHaveURL(/sort=-weight/)
    await expect.poll(() => areAllThere(page)).toBe(true)
  })

  await test.step('groups show their counts, and the last row is reachable', async () => {
    await page.goto('/collections/parcels?perPage=all&group=state')
    const tree = page.getByRole('treegrid', { name: 'Parcels' })
    await expect(tree.getByRole('row', { name: /^new/ })).toContainText('250,000')
    await dragTo(page, 1)
    await expect.poll(async () => (await titlesInSight(page)).at(-1)).toBe('Parcel 999999')
    await tree.press('Control+Home')
  })

  await test.step('all matching records are selected, and one is excluded', async () => {
    await page.goto('/collections/parcels?perPage=all')
    await expect(page.getByRole('link', { name: 'Parcel 1', exact: true })).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select all records' }).check()
    await expect(page.getByText('1,000,000 selected').first()).toBeVisible()
    await dragTo(page, 0.75)
    await expect.poll(async () => Number((await titlesInSight(page))[0]?.slice(7))).toBeGreaterThan(700_000)
    await expect.poll(() => areAllThere(page)).toBe(true)
    await page.locator('.grid-row').nth(8).getByRole('checkbox').uncheck()
    await expect(page.getByText('999,999 selected').first()).toBeVisible()
  })

  await test.step('changing all selected records shows progress and can be canceled', async () => {
    await page.getByRole('group', { name: '999,999 selected' }).getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: /^Edit / })
    await dialog.getByRole('combobox', { name: 'Field' }).click()
    await page.getByRole('option', { name: 'Weight', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Weight' }).fill('12')
    await dialog.getByRole('button', { name: 'Update 999,999 records' }).click()
    await dragTo(page, 0)
    // Changes are visible while the job is running, not only at the end.
    await expect(page.getByRole('gridcell', { name: '12', exact: true }).first()).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: /^Jobs: [1-9]/ }).click()
    await page.getByRole('button', { name: 'Stop: Updating Weight in Parcels' }).click()
    const stopped = page.getByRole('alert').or(page.getByRole('status'))
    await expect(stopped.filter({ hasText: /^Stopped\. Updated Weight in [\d,]+ records/ })).toBeVisible()
  })
})
