import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

const grid = (page: Page) => page.locator('.grid-scroller')
const records = (page: Page) => grid(page).locator('.grid-row:not(.grid-group)')
const header = (page: Page, name: string) => grid(page).locator('.grid-header-cell').filter({ hasText: name })

type Point = { readonly x: number; readonly y: number }

async function middleOf(place: Locator): Promise<Point> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
}

/** A single touch that is moved in steps, as browsers report it. */
async function fingerOn(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    press: (at: Point) => send('touchStart', [at]),
    move: async (from: Point, to: Point) => {
      for (const share of [0.25, 0.5, 0.75, 1])
        await send('touchMove', [{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }])
    },
    lift: () => send('touchEnd', []),
  }
}

test('columns and fields can be dragged by mouse and touch, and the list scrolls at its edge', async ({
  browser,
  server,
}) => {
  const { ask } = await asProgram(server.url, ADA)
  const fields = Array.from({ length: 30 }, (_, at) => ({ label: `Field ${at + 1}`, name: `field${at}`, kind: 'text' }))
  await ask('POST', '/api/collections', { label: 'Wide', fields })
  await ask('POST', '/api/collections/wide/records', { values: { field0: 'First' } })
  const tablet = { viewport: { width: 1000, height: 700 }, hasTouch: true }
  const context = await browser.newContext({ ...tablet, baseURL: server.url, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, ADA)
  const finger = await fingerOn(page)
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
  const fieldsNow = async () => {
    const { fields: all } = (await ask('GET', '/api/collections/wide')) as { readonly fields: { label: string }[] }
    return all.map(({ label }) => label)
  }
  const placeOf = async (label: string) => (await fieldsNow()).indexOf(label) + 1

  await test.step('a field is dragged by touch on its handle', async () => {
    await page.goto('/collections/wide/settings')
    await handle('Field 2').scrollIntoViewIfNeeded()
    const [from, to] = [await middleOf(handle('Field 2')), await middleOf(handle('Field 4'))]
    await finger.press(from)
    await finger.move(from, to)
    await finger.lift()
    await expect.poll(() => placeOf('Field 2')).toBe(4)
  })

  for (const pointer of ['finger', 'mouse'] as const) {
    await test.step(`a field held at the edge with a ${pointer} moves to the end of a scrolling list`, async () => {
      const label = pointer === 'finger' ? 'Field 8' : 'Field 9'
      await page.reload()
      await handle(label).scrollIntoViewIfNeeded()
      const from = await middleOf(handle(label))
      const bottom = { x: from.x, y: 690 }
      if (pointer === 'finger') {
        await finger.press(from)
        await finger.move(from, bottom)
      } else {
        await page.mouse.move(from.x, from.y)
        await page.mouse.down()
        await page.mouse.move(bottom.x, bottom.y, { steps: 4 })
      }
      await expect(page.locator('[data-dragged]')).toContainText(label)
      await expect(page.locator('.field-list > li').last()).toContainText(label)
      if (pointer === 'finger') await finger.lift()
      else await page.mouse.up()
      await expect.poll(() => placeOf(label)).toBe(30)
    })
  }

  const labels = () => grid(page).locator('.grid-header-cell .grid-header-label').allTextContents()
  await test.step('a column is dragged by touch after a long press', async () => {
    await page.goto('/collections/wide')
    await expect(records(page)).toHaveCount(1)
    // The code for touches is loaded after the first rows are visible.
    await page.waitForLoadState('networkidle')
    const before = await labels()
    const [from, to] = [await middleOf(header(page, 'Field 3')), await middleOf(header(page, 'Field 4'))]
    await finger.press(from)
    await expect(grid(page)).toHaveAttribute('data-dragging', 'column')
    await finger.move(from, { x: to.x + 20, y: to.y })
    await finger.lift()
    await expect.poll(async () => (await labels()).indexOf('Field 3')).toBe(before.indexOf('Field 3') + 1)
    await expect(grid(page)).not.toHaveAttribute('data-dragging')
    expect(page.url()).not.toContain('sort')
  })

  await test.step('the grid scrolls when a column is dragged to its edge', async () => {
    await grid(page).evaluate((scroller) => scroller.scrollTo(0, 0))
    const from = await middleOf(header(page, 'Field 4'))
    await finger.press(from)
    await expect(grid(page)).toHaveAttribute('data-dragging', 'column')
    await finger.move(from, { x: 985, y: from.y })
    await expect.poll(() => grid(page).evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(600)
    await finger.lift()
    await expect(grid(page)).not.toHaveAttribute('data-dragging')
    await grid(page).evaluate((scroller) => scroller.scrollTo(0, 0))
    // The dragged column is now far outside the visible range.
    await expect.poll(async () => (await labels()).at(-1)).toBe('Field 4')
  })

  await test.step('without a long press, touch scrolls the grid', async () => {
    const at = await middleOf(header(page, 'Field 3'))
    await finger.press(at)
    await finger.move(at, { x: at.x - 200, y: at.y })
    await finger.lift()
    await expect.poll(() => grid(page).evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100)
  })
  await context.close()
})

test('records are dragged by touch after a long press, or moved with their menu in two taps', async ({
  browser,
  server,
}) => {
  const { ask } = await asProgram(server.url, ADA)
  const today = new Date().toISOString().slice(0, 10)
  const made = (await ask('POST', '/api/collections', {
    label: 'Trips',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Stage', kind: 'select', options: { choices: [{ name: 'Open' }, { name: 'Done' }] } },
      { label: 'Start', kind: 'date' },
    ],
  })) as { readonly fields: readonly { readonly id: string; readonly name: string }[] }
  const idOf = (name: string) => made.fields.find((field) => field.name === name)?.id
  for (const title of ['Alps', 'Baltic', 'Crete'])
    await ask('POST', '/api/collections/trips/records', { values: { title, stage: 'Open', start: today } })
  const views = new Map<string, unknown>()
  for (const [kind, options] of [
    ['cards', {}],
    ['board', { by: idOf('stage') }],
    ['timeline', { start: idOf('start') }],
  ] as const) {
    const query = kind === 'cards' ? { sort: '@manual' } : {}
    const { id } = await ask('POST', '/api/collections/trips/views', { name: kind, query, display: { kind, options } })
    views.set(kind, id)
  }
  const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true }
  const context = await browser.newContext({ ...phone, baseURL: server.url, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, ADA)
  const finger = await fingerOn(page)
  const open = (kind: string) => page.goto(`/collections/trips?view=${String(views.get(kind))}`)

  await test.step('a card is dragged to another place of the manual order', async () => {
    await open('cards')
    const cards = page.locator('.card')
    await expect(cards).toHaveText([/^Alps/, /^Baltic/, /^Crete/])
    const [from, to] = [await middleOf(cards.nth(2)), await middleOf(cards.nth(0))]
    await finger.press(from)
    await expect(page.locator('.card[data-dragged]')).toBeVisible()
    await finger.move(from, { x: to.x, y: to.y - 20 })
    await finger.lift()
    await expect(cards).toHaveText([/^Crete/, /^Alps/, /^Baltic/])
    expect(page.url()).not.toContain('record=')
  })

  await test.step('a bar is dragged to another day', async () => {
    await open('timeline')
    const bar = page.locator('.timeline-bar').filter({ hasText: 'Alps' })
    const from = await middleOf(bar)
    await finger.press(from)
    await expect(page.locator('[data-moving]').first()).toBeVisible()
    await finger.move(from, { x: from.x + 64, y: from.y })
    await finger.lift()
    await expect(page.getByText(/Alps moved to/).first()).toBeAttached()
  })

  await test.step('a card on a board is moved with its menu', async () => {
    await open('board')
    await page.getByRole('button', { name: 'More actions for Alps' }).tap()
    await page.getByRole('menuitem', { name: 'Move to Done' }).tap()
    await expect(page.getByRole('group', { name: /^Done, 1 record/ }).getByText('Alps')).toBeVisible()
  })
  await context.close()
})
