import { Modal, type ModalProps } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

export function Dialog(props: ModalProps) {
  useReturnFocusOnClose(props.opened)
  return <Modal {...props} returnFocus={false} />
}

/** At this point, the browser has moved focus away from the removed element. */
const FOCUS_DELAY_MS = 10

/** At this point, the dialog has been removed, along with any focus it took while fading out. */
const FADED_MS = 400

let lastFocused: Element | null = null
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) lastFocused = target
})

/** Returns focus to the previously focused element, which Mantine loses for lazily loaded dialogs. */
export function useReturnFocusOnClose(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    // A dialog that loads late opens after its menu item has been removed and focus has moved to the body.
    const before = document.activeElement === document.body ? lastFocused : document.activeElement
    // A menu item is removed when its menu closes, so focus returns to the menu button.
    const menuButton = before?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
    return () => {
      const atClose = document.activeElement
      const dialogs = document.querySelectorAll('[role="dialog"]')
      const giveBack = () => {
        const now = document.activeElement
        // A dialog or menu can briefly take focus while fading out.
        const isFading = [...dialogs].some((dialog) => dialog.contains(now)) || now?.closest('[role="menu"]')
        const isElsewhere = now !== null && now !== document.body && now !== atClose && !isFading
        if (isElsewhere) return
        const back = menuButton ? document.getElementById(menuButton) : before
        if (back instanceof HTMLElement) back.focus({ preventScroll: true })
      }
      setTimeout(giveBack, FOCUS_DELAY_MS)
      setTimeout(() => document.activeElement === document.body && giveBack(), FADED_MS)
    }
  }, [isOpen])
}

export function useReturnFocus(isFormOpen: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isFormOpen)
  useEffect(() => {
    if (wasOpen.current && !isFormOpen) button.current?.focus()
    wasOpen.current = isFormOpen
  }, [isFormOpen])
  return button
}
