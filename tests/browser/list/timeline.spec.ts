import { expect, type Locator, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, timezoneId: 'Europe/Vienna', locale: 'en-GB' })

const DAY_MS = 86_400_000
const dayFromNow = (by: number): string => new Date(Date.now() + by * DAY_MS).toISOString().slice(0, 10)

/** In px, at the zoom that a timeline starts with. */
const DAY_PX = 32

const bar = (page: Page, title: string): Locator =>
  page.locator('.timeline-bar').getByRole('link', { name: new RegExp(`^${title} `) })

async function dragBy(page: Page, target: Locator, days: number): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('Not in sight')
  const [x, y] = [box.x + Math.min(box.width / 2, 20), box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + days * DAY_PX, y, { steps: 6 })
  await page.mouse.up()
}

test('a timeline shows records as bars, which are moved by mouse and keyboard', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Start', kind: 'date' },
    { label: 'End', kind: 'date' },
    { label: 'Team', kind: 'select', options: { choices: [{ name: 'Red' }, { name: 'Blue' }] } },
  ]
  await ask('POST', '/api/collections', { label: 'Plans', name: 'plans', fields })
  const ids = new Map<string, string>()
  for (const values of [
    { title: 'Roof', start: dayFromNow(1), end: dayFromNow(4), team: 'Red' },
    { title: 'Attic', start: dayFromNow(2), end: dayFromNow(9), team: 'Blue' },
    { title: 'Moon', start: '2399-01-01', end: '2399-02-01', team: 'Blue' },
    { title: 'Fence', team: 'Red' },
  ]) {
    const made = await ask('POST', '/api/collections/plans/records', { values })
    ids.set(values.title, String(made['id']))
  }
  const datesOf = async (title: string) => {
    const { values } = (await ask('GET', `/api/collections/plans/records/${ids.get(title)}`)) as {
      readonly values: { readonly start: unknown; readonly end: unknown }
    }
    return [values.start, values.end]
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, ADA)
  await page.goto('/collections/plans')
  await page.getByRole('button', { name: /^Layout/ }).click()
  const layout = page.getByRole('dialog', { name: 'Layout' })
  await layout.getByRole('radio', { name: 'Timeline' }).press('Space')
  await layout.getByRole('combobox', { name: 'End date' }).click()
  await page.getByRole('option', { name: 'End' }).click()
  await page.keyboard.press('Escape')

  await test.step('bars are dragged and undone', async () => {
    await dragBy(page, bar(page, 'Roof'), 3)
    await expect.poll(() => datesOf('Roof')).toEqual([dayFromNow(4), dayFromNow(7)])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => datesOf('Roof')).toEqual([dayFromNow(1), dayFromNow(4)])
  })

  await test.step('the end of a bar is dragged', async () => {
    const edge = bar(page, 'Attic').locator('[data-edge="end"]')
    await dragBy(page, edge, -2)
    await expect.poll(() => datesOf('Attic')).toEqual([dayFromNow(2), dayFromNow(7)])
  })

  await test.step('the keyboard moves a bar', async () => {
    await bar(page, 'Roof').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => datesOf('Roof')).toEqual([dayFromNow(2), dayFromNow(5)])
    await expect(page.locator('.timeline > [role="status"]')).toContainText('Roof moved to')
  })

  await test.step('records that are out of sight are gone to', async () => {
    await expect(bar(page, 'Moon')).toHaveCount(0)
    await page.getByRole('button', { name: /^Go to Moon/ }).click()
    await expect(bar(page, 'Moon')).toBeInViewport()
    await expect(page).toHaveURL(/[?&]day=239\d-/)
    await page.reload()
    await expect(bar(page, 'Moon')).toBeInViewport()
    await page.getByRole('button', { name: 'Today' }).click()
    await expect(bar(page, 'Roof')).toBeInViewport()
    await page.goBack()
    await expect(bar(page, 'Moon')).toBeInViewport()
    await page.goForward()
    await expect(bar(page, 'Roof')).toBeInViewport()
  })

  await test.step('a record without a date gets one', async () => {
    const row = page.getByRole('button', { name: 'Set the date of Fence' })
    await row.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await expect.poll(async () => (await datesOf('Fence'))[0]).toEqual(expect.stringMatching(/^\d{4}-/))
  })

  await test.step('rows are grouped like the list', async () => {
    await page.goto('/collections/plans?group=team')
    await expect(page.getByRole('button', { name: /^Red/, expanded: true })).toBeVisible()
    await expect(bar(page, 'Roof')).toBeVisible()
  })

  await test.step('it is accessible in light and dark, and on a phone', async () => {
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await expect(page.getByRole('link', { name: 'Roof', exact: true })).toBeVisible()
        expect(await axeFindings(page), `${width} ${colorScheme}`).toEqual([])
      }
    }
  })
})
