import { expect, type Page } from '@playwright/test'

/** Runs in the page. Returns “in sight”, or a description of the element that covers the focused one. */
function focusPlace(): string {
  /** Radio buttons and switches are hidden inputs, so their labels are checked instead. */
  const shownFor = (focused: HTMLElement): HTMLElement => {
    const label = focused instanceof HTMLInputElement && focused.offsetWidth < 2 ? focused.labels?.[0] : undefined
    return label ?? focused
  }
  const isBeyond = ({ left, top, right, bottom }: DOMRect) =>
    left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1
  const coveredAt =
    (it: HTMLElement) =>
    (x: number, y: number): string[] => {
      const found = document.elementFromPoint(x, y)
      if (found === null) return ['the window']
      // Drag handles are transparent, so they don't cover anything.
      const isSeen = it.contains(found) || found.contains(it) || found.closest('.grid-resize, .grid-fill, label')
      return isSeen ? [] : [`${found.tagName}.${found.className}`]
    }
  // Cells must be visible up to their corners; controls have rounded corners, so only their center is checked.
  const coveredIn = (it: HTMLElement, { left, top, right, bottom }: DOMRect): string[] => {
    const at = coveredAt(it)
    if (it.dataset['column'] === undefined) return at((left + right) / 2, (top + bottom) / 2)
    return [left + 3, right - 3].flatMap((x) => [...at(x, top + 3), ...at(x, bottom - 3)])
  }

  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return 'nowhere'
  const it = shownFor(focused)
  const box = it.getBoundingClientRect()
  const name = `${it.getAttribute('role') ?? it.tagName} “${(it.getAttribute('aria-label') ?? it.textContent).slice(0, 30)}”`
  if (box.width < 2 || box.height < 2) return `${name} has no size`
  if (isBeyond(box)) return `${name} is beyond an edge`
  const covered = coveredIn(it, box)
  return covered.length === 0 ? 'in sight' : `${name} is behind ${covered.join(', ')}`
}

/** Asserts that the focused element is fully visible and not covered by a header or frozen columns. */
export async function expectVisibleFocus(page: Page, after: string): Promise<void> {
  await expect.poll(() => page.evaluate(focusPlace), { message: `the focus after ${after}` }).toBe('in sight')
}

/** Presses keys; asserts after each that the focused element is visible. */
export async function pressWithVisibleFocus(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await expectVisibleFocus(page, key)
  }
}
