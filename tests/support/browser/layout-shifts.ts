import type { Page } from '@playwright/test'

type Moved = { readonly node: Node | null; readonly previousRect: DOMRect; readonly currentRect: DOMRect }
type Shift = PerformanceEntry & {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly Moved[]
}

/** Shifts below this score aren't noticeable, such as a number that becomes wider. */
const UNSEEN = 0.001

/** Records layout shifts that aren't caused by user input; returns those on the current page. */
export async function watchShifts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const shifts: { by: number; what: string }[] = []
    Object.assign(globalThis, { shifts })
    const place = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
    const nameOf = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      return `${element?.className || element?.tagName} “${node?.textContent?.slice(0, 24) ?? ''}”`
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(
          (each) => `${nameOf(each.node)} ${place(each.previousRect)} → ${place(each.currentRect)}`,
        )
        if (!hadRecentInput) shifts.push({ by: value, what: moved.join(', ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    const shifts = await page.evaluate(
      () => (globalThis as unknown as { shifts: readonly { by: number; what: string }[] }).shifts,
    )
    const sum = shifts.reduce((all, { by }) => all + by, 0)
    return sum < UNSEEN ? [] : shifts.map(({ by, what }) => `${by.toFixed(4)} ${what}`)
  }
}

/** Throttles the page's CPU by this factor. */
export async function slowDown(page: Page, times: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: times })
}
