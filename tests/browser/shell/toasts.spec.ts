import { expect, type Page } from '@playwright/test'
import { TOASTS } from '#domain/specification.ts'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { openUiStage, type UiStage } from '#tests/support/browser/ui-stage.ts'

/** Tolerance in ms for animations on a busy machine. */
const SLACK_MS = 900

const toasts = (page: Page) => page.locator('.Toastify__toast')
const toastOf = (page: Page, text: string) => toasts(page).filter({ hasText: text })

/** Shows `count` toasts, starting with `No. 1`. */
const showMany = (page: Page, count: number, stays?: true) =>
  page.evaluate(
    ({ count: most, stays: isKept }) => {
      const { notify } = globalThis as unknown as UiStage
      for (let at = 1; at <= most; at += 1) notify.info(`No. ${at}.`, isKept ? { stays: isKept } : {})
    },
    { count, stays },
  )

/** Records the times at which each toast appears and disappears. */
async function watchToasts(page: Page): Promise<() => Promise<{ readonly [text: string]: readonly [number, number] }>> {
  await page.evaluate(() => {
    const times: { [text: string]: [number, number] } = {}
    const look = () => {
      const there = [...document.querySelectorAll('.toast-words')].map(({ textContent }) => textContent)
      for (const text of there) times[text] ??= [performance.now(), 0]
      const gone = Object.keys(times).filter((text) => !there.includes(text))
      for (const text of gone) times[text] = [times[text]?.[0] ?? 0, times[text]?.[1] || performance.now()]
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    Object.assign(globalThis, { toastTimes: times })
  })
  return () =>
    page.evaluate(() => (globalThis as unknown as { toastTimes: { [text: string]: [number, number] } }).toastTimes)
}

test.beforeEach(({ page }) => openUiStage(page))

test('a toast is shown for five seconds, but errors and toasts with actions stay open', async ({ page }) => {
  const times = await watchToasts(page)
  await page.evaluate(() => {
    const { notify } = globalThis as unknown as UiStage
    notify.success('Moved.')
    notify.error('Not stored.')
    notify.success('Deleted.', { action: { label: 'Undo', run: () => undefined } })
  })
  await expect(toastOf(page, 'Moved.')).toHaveAttribute('role', 'status')
  await expect(toastOf(page, 'Not stored.')).toHaveAttribute('role', 'alert')
  await expect(page.getByRole('region', { name: /^Notifications/ })).toHaveAttribute('aria-live', 'polite')
  expect(await axeFindings(page)).toEqual([])
  await expect(toasts(page)).toHaveCount(2)
  const [from = 0, to = 0] = (await times())['Moved.'] ?? []
  expect(to - from).toBeGreaterThanOrEqual(TOASTS.displayMs)
  expect(to - from).toBeLessThan(TOASTS.displayMs + SLACK_MS)
  await expect(toastOf(page, 'Deleted.')).toBeVisible()
})

test('only twenty of twenty-five toasts are shown, newest on top, and a queued toast gets its full display time', async ({
  page,
}) => {
  const times = await watchToasts(page)
  await showMany(page, 25)
  await expect(toasts(page)).toHaveCount(TOASTS.maxVisible)
  await expect(toasts(page).first()).toContainText('No. 20.')
  await expect(toastOf(page, 'No. 21.')).toHaveCount(0)
  await expect(toastOf(page, 'No. 21.')).toBeVisible()
  await expect(toastOf(page, 'No. 25.')).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  const [from = 0, to = 0] = (await times())['No. 21.'] ?? []
  const [firstFrom = 0] = (await times())['No. 1.'] ?? []
  // The first toast is still fading out, but its display time has elapsed.
  expect(from - firstFrom).toBeGreaterThanOrEqual(TOASTS.displayMs)
  expect(to - from).toBeGreaterThanOrEqual(TOASTS.displayMs)
})

for (const { width, height, is } of [
  { width: 1440, height: 1200, is: 'a large window' },
  { width: 1440, height: 700, is: 'a low window' },
  { width: 375, height: 700, is: 'a telephone' },
]) {
  test(`the stack of toasts stays within its bounds and scrolls inside ${is}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await showMany(page, 25, true)
    await expect(toasts(page)).toHaveCount(TOASTS.maxVisible)
    const box = await page.locator('.Toastify__toast-container').evaluate((container) => {
      const { width: wide, height: tall, top, right } = container.getBoundingClientRect()
      return { wide, tall, top, right, inside: container.scrollHeight, seen: container.clientHeight }
    })
    expect(box.wide).toBe(width < 600 ? width - 16 : TOASTS.containerWidthPx)
    expect(box.tall).toBeLessThanOrEqual(Math.min(TOASTS.maxHeightPx, height))
    expect(box.top).toBeGreaterThanOrEqual(0)
    expect(box.right).toBeLessThanOrEqual(width)
    expect(box.inside).toBeGreaterThan(box.seen)
    await page.keyboard.press('Alt+t')
    await page.keyboard.press('Shift+Tab')
    await toasts(page).last().scrollIntoViewIfNeeded()
    await expect(toasts(page).last()).toBeInViewport()
  })
}

test('a toast never covers a button, even one that appears later', async ({ page }) => {
  await showMany(page, 1, true)
  await expect(toasts(page)).toBeVisible()
  const before = await toasts(page).boundingBox()
  await page.evaluate(() => {
    const button = document.createElement('button')
    button.textContent = 'Next step'
    button.style.cssText = 'position: fixed; right: 40px; bottom: 20px'
    document.body.append(button)
  })
  await page.getByRole('button', { name: 'Next step' }).click()
  const [toast, button] = [await toasts(page).boundingBox(), await page.getByText('Next step').boundingBox()]
  expect(toast?.y).toBeLessThan(before?.y ?? 0)
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
})

test('a very long toast is limited to the specified height', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1200 })
  await page.evaluate(() => (globalThis as unknown as UiStage).notify.error('Long. '.repeat(2_000)))
  const { height } = (await toasts(page).first().boundingBox()) ?? { height: 0 }
  expect(Math.round(height)).toBeLessThanOrEqual(TOASTS.maxHeightPx)
  expect(height).toBeGreaterThan(TOASTS.maxHeightPx / 2)
})

/** Returns whether a toast's countdown animation is running or paused. */
const countdown = (page: Page, text: string) =>
  toastOf(page, text)
    .locator('.Toastify__progress-bar--animated')
    .evaluate((bar) => getComputedStyle(bar).animationPlayState)

test("a toast's timer pauses on hover, on focus and in background tabs, then resumes", async ({ page }) => {
  await page.clock.install()
  const times = await watchToasts(page)
  await showMany(page, 1)
  await toastOf(page, 'No. 1.').hover()
  await expect.poll(() => countdown(page, 'No. 1.')).toBe('paused')
  await page.mouse.move(0, 0)
  await expect.poll(() => countdown(page, 'No. 1.')).toBe('running')
  await page.keyboard.press('Alt+t')
  await expect(toastOf(page, 'No. 1.')).toBeFocused()
  await expect.poll(() => countdown(page, 'No. 1.')).toBe('paused')
  // Only the animation controls the display time: no timer closes the toast while it is paused.
  await page.clock.fastForward(TOASTS.displayMs + 500)
  await expect(toastOf(page, 'No. 1.')).toBeVisible()
  await page.getByRole('button', { name: 'Before' }).focus()
  await expect.poll(() => countdown(page, 'No. 1.')).toBe('running')
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect.poll(() => countdown(page, 'No. 1.')).toBe('paused')
  await page.evaluate(() => {
    Object.assign(globalThis, { resumedAt: performance.now() })
    window.dispatchEvent(new Event('focus'))
  })
  await expect(toasts(page)).toHaveCount(0)
  const resumedAt = await page.evaluate(() => (globalThis as unknown as { resumedAt: number }).resumedAt)
  const [, gone = 0] = (await times())['No. 1.'] ?? []
  // The countdown resumes instead of restarting, so the remaining time is shorter than the full display time.
  expect(gone - resumedAt).toBeLessThan(TOASTS.displayMs)
})

test('a temporary toast with undo remains while focused or hovered', async ({ page }) => {
  await page.clock.install()
  await page.evaluate(() => {
    const { notify } = globalThis as unknown as UiStage
    notify.info('Deleted.', { action: { label: 'Undo', run: () => undefined }, isBrief: true })
  })
  const undo = toastOf(page, 'Deleted.').getByRole('button', { name: 'Undo' })
  await undo.focus()
  await expect.poll(() => countdown(page, 'Deleted.')).toBe('paused')
  // The pointer crosses the toast and the window loses focus, while keyboard focus remains on the toast.
  await undo.hover()
  await page.mouse.move(0, 0)
  await page.evaluate(() => ['blur', 'focus'].map((name) => window.dispatchEvent(new Event(name))))
  await expect.poll(() => countdown(page, 'Deleted.')).toBe('paused')
  await page.clock.fastForward(TOASTS.displayMs + 500)
  await expect(undo).toBeVisible()
  await undo.hover()
  await page.getByRole('button', { name: 'Before' }).focus()
  await page.evaluate(() => ['blur', 'focus'].map((name) => window.dispatchEvent(new Event(name))))
  await expect.poll(() => countdown(page, 'Deleted.')).toBe('paused')
  await page.mouse.move(0, 0)
  await expect(toasts(page)).toHaveCount(0)
})

test('clicking undo returns focus, and the next toast closes automatically', async ({ page }) => {
  await page.getByRole('button', { name: 'Before' }).focus()
  await page.evaluate(() => {
    const { notify } = globalThis as unknown as UiStage
    const deleted = { action: { label: 'Undo', run: () => undefined }, isBrief: true } as const
    const run = () => void notify.info('Deleted.', deleted)
    notify.success('Duplicated.', { action: { label: 'Undo', run } })
  })
  await toastOf(page, 'Duplicated.').getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page, 'Duplicated.')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Before' })).toBeFocused()
  await page.mouse.move(0, 0)
  await expect(toasts(page)).toHaveCount(0)
})

test('other toasts still close after undo is clicked without prior focus', async ({ page }) => {
  await page.evaluate(() => {
    const { notify } = globalThis as unknown as UiStage
    notify.info('Moved.')
    notify.success('Duplicated.', { action: { label: 'Undo', run: () => undefined } })
  })
  await toastOf(page, 'Duplicated.').getByRole('button', { name: 'Undo' }).click()
  await page.mouse.move(0, 0)
  await expect(toasts(page)).toHaveCount(0)
})

test('a repeated toast is merged with the first one, which shows a count', async ({ page }) => {
  await page.evaluate(() => {
    const { notify } = globalThis as unknown as UiStage
    for (let at = 0; at < 3; at += 1) notify.info('Again.')
  })
  await expect(toasts(page)).toHaveCount(1)
  await expect(toasts(page)).toContainText('×3')
})

test('toasts can be focused, undone and dismissed by keyboard, which returns focus', async ({ page }) => {
  await page.evaluate(() => {
    const { notify } = globalThis as unknown as UiStage
    for (const name of ['First', 'Second', 'Third']) {
      const run = () => document.body.setAttribute('data-undone', name)
      notify.success(`${name} is deleted.`, { action: { label: 'Undo', run } })
    }
  })
  await expect(toasts(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Before' }).focus()
  await page.keyboard.press('Alt+t')
  await expect(toastOf(page, 'Third')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(toastOf(page, 'Third').getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('body')).toHaveAttribute('data-undone', 'Third')
  await expect(toastOf(page, 'Second')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(toastOf(page, 'First')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(toasts(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Before' })).toBeFocused()
})

test('toasts also close automatically with reduced motion, in dark mode and in right-to-left layout', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' })
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await showMany(page, 2)
  await expect(toasts(page)).toHaveCount(2)
  const { x } = (await page.locator('.Toastify__toast-container').boundingBox()) ?? { x: -1 }
  expect(x).toBe(16)
  expect(await axeFindings(page)).toEqual([])
  await expect(toasts(page)).toHaveCount(0)
})
