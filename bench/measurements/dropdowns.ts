import { chromium, type Page } from '@playwright/test'
import type { StagedDropdown } from '#tests/support/ui-stage/stage.tsx'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/browser/chromium.ts'
import { openUiStage, type UiStage } from '#tests/support/browser/ui-stage.ts'
import { listOpens } from '../report/budgets.ts'
import type { Part } from '../measure.ts'
import { rowOfSingles, type Single } from '../report/result.ts'

const TIMES = 30
const QUICK_TIMES = 8

/** Page size of the record search in dropdowns. */
const FOUND_AT_ONCE = 50

const LISTS: readonly { readonly what: string; readonly maxMs: number; readonly staged: StagedDropdown }[] = [
  {
    what: 'of 10,000 options, 1,000 rendered',
    maxMs: 120,
    staged: {
      label: 'Place',
      options: Array.from({ length: 10_000 }, (_, at) => ({ value: String(at), label: `Place ${at}` })),
    },
  },
  { what: 'searched on the server', maxMs: 50, staged: { label: 'Record', searched: FOUND_AT_ONCE } },
]

/** Records the time from each pointer press to the end of the frame that shows the options; read with `opensSeen`. */
function watchOpens(): void {
  const seen: number[] = []
  const channel = new MessageChannel()
  let pressedAt = 0
  const look = () => {
    requestAnimationFrame(() => {
      if (!document.querySelector('[role=option]')) return look()
      // A task queued in the frame runs after the paint.
      channel.port2.postMessage(undefined)
    })
  }
  channel.port1.onmessage = () => seen.push(performance.now() - pressedAt)
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      pressedAt = timeStamp
      look()
    },
    { capture: true },
  )
  Object.assign(globalThis, { opensSeen: () => seen })
}

const opensSeen = (page: Page): Promise<readonly number[]> =>
  // `watchOpens` defines this function.
  page.evaluate(() => (globalThis as unknown as { opensSeen: () => readonly number[] }).opensSeen())

async function openOften(page: Page, staged: StagedDropdown, times: number): Promise<Single> {
  await openUiStage(page)
  await page.evaluate(watchOpens)
  await page.evaluate((one) => (globalThis as unknown as UiStage).show([one]), staged)
  const input = page.getByRole('combobox', { name: staged.label })
  for (let opened = 1; opened <= times; opened += 1) {
    await input.click()
    await page.waitForFunction(
      (count) => (globalThis as unknown as { opensSeen: () => readonly number[] }).opensSeen().length === count,
      opened,
    )
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
  }
  const seen = (await opensSeen(page)).toSorted((left, right) => left - right)
  const at = (share: number) => seen[Math.min(seen.length - 1, Math.floor(seen.length * share))] ?? 0
  return { figure: at(0.95), unit: 'ms', note: `p50 ${at(0.5).toFixed(0)}, longest ${at(1).toFixed(0)}` }
}

/** Measures the time from pointer press to painted options, in a browser without a GPU; independent of the database. */
export const dropdownsPart: Part = {
  name: 'dropdowns',
  run: async ({ stages, options }) => {
    const found = findChromium()
    const browser = await chromium.launch({
      args: [...CHROMIUM_FLAGS],
      ...(found && { executablePath: found.executablePath, env: { ...process.env, ...found.env } }),
    })
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      const rows = []
      for (const { what, maxMs, staged } of LISTS) {
        const opened = await openOften(page, staged, options.isQuick ? QUICK_TIMES : TIMES)
        const [first] = stages
        rows.push(rowOfSingles(listOpens(what, maxMs), new Map(first ? [[first.dialect, opened]] : [])))
      }
      return rows
    } finally {
      await browser.close()
    }
  },
}
