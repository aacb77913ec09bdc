import { Modal, type ModalProps } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

export function Dialog(props: ModalProps) {
  useReturnFocusOnClose(props.opened)
  return <Modal {...props} returnFocus={false} />
}

/** Time after which the browser has moved focus away from a removed element. */
const FOCUS_DELAY_MS = 10

/** Time after which a closed dialog has been removed and can no longer take focus while fading out. */
const FADED_MS = 400

let lastFocused: Element | null = null
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) lastFocused = target
})

/** Returns focus to the previously focused element, which Mantine loses for lazily loaded dialogs. */
export function useReturnFocusOnClose(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    // When a lazily loaded dialog opens, its menu item has already been removed, so focus is on the body.
    const before = document.activeElement === document.body ? lastFocused : document.activeElement
    // A closing menu removes its items, so focus returns to the menu button.
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
