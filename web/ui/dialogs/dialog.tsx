import { Modal, type ModalProps } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A dialog; the keyboard comes back to where it was, however the dialog goes away. */
export function Dialog(props: ModalProps) {
  useReturnFocusOnClose(props.opened)
  return <Modal {...props} returnFocus={false} />
}

/** By then the browser has told where the keyboard is once what held it is gone. */
const FOCUS_DELAY_MS = 10

let lastFocused: Element | null = null
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) lastFocused = target
})

/**
 * Returns focus to the element that had it before something was opened. Mantine's own way loses it when a lazily loaded
 * component mounts already open, and when it is unmounted while open.
 */
export function useReturnFocusOnClose(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    // A dialog that loaded late opens after its menu item was removed and focus went to the body.
    const before = document.activeElement === document.body ? lastFocused : document.activeElement
    // A menu item is removed when its menu closes: focus returns to the menu's button.
    const menuButton = before?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
    return () => {
      const atClose = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        // A menu that is fading out may have taken the focus for a moment.
        const isElsewhere = now !== null && now !== document.body && now !== atClose && !now.closest('[role="menu"]')
        if (isElsewhere) return
        const back = menuButton ? document.getElementById(menuButton) : before
        if (back instanceof HTMLElement) back.focus({ preventScroll: true })
      }, FOCUS_DELAY_MS)
    }
  }, [isOpen])
}

/** For a button that makes way for a form: when the form is closed, the keyboard goes back to the button. */
export function useReturnFocus(isFormOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isFormOpen)
  useEffect(() => {
    if (wasOpen.current && !isFormOpen) button.current?.focus()
    wasOpen.current = isFormOpen
  }, [isFormOpen])
  return button
}
