import { Modal, type ModalProps } from '@mantine/core'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A dialog; the keyboard comes back to where it was, however the dialog goes away. */
export function Dialog(props: ModalProps) {
  useReturnFocusOnClose(props.opened)
  return <Modal {...props} returnFocus={false} />
}

/** By then the browser has told where the keyboard is once what held it is gone. */
const FOCUS_DELAY_MS = 10

/**
 * Gives the keyboard back to what held it before something was opened. Mantine's own way forgets it where a part is drawn
 * open from its first moment, as one is that was fetched late, and where it is taken away while it is open.
 */
export function useReturnFocusOnClose(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const before = document.activeElement
    // An entry of a menu is gone by then: the keyboard goes to the button of the menu.
    const menuButton = before?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? ''
    return () => {
      const atClose = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        if (now !== null && now !== document.body && now !== atClose) return
        const back = before?.isConnected === true ? before : document.getElementById(menuButton)
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
