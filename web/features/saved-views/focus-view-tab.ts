const focusTab = (): void => document.querySelector<HTMLElement>('.views-bar [aria-current]')?.focus()

/** A button that saves is gone once all is saved: the keyboard goes on at the tab of the view, unless it is elsewhere already. */
export function focusCurrentView(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('.views-bar, .view-notice')) focusTab()
}

/** The same for a dialog, which gives the keyboard back by itself as long as there is something to give it back to. */
export function restoreViewFocus(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('[role="dialog"]')) focusTab()
}

const isFocusLost = (at: Element | null): at is null => at === null || at === document.body
