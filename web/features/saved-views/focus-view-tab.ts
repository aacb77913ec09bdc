const focusTab = (): void => document.querySelector<HTMLElement>('.views-bar [aria-current]')?.focus()

/** The save button is gone, so focus moves to the view's tab unless it is elsewhere. */
export function focusCurrentView(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('.views-bar, .view-notice')) focusTab()
}

/** For dialogs, which restore focus themselves if they can. */
export function restoreViewFocus(): void {
  const at = document.activeElement
  if (isFocusLost(at) || at.closest('[role="dialog"]')) focusTab()
}

const isFocusLost = (at: Element | null): at is null => at === null || at === document.body
