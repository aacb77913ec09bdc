import { type KeyboardEventHandler, type MouseEventHandler, type Ref, useCallback, useId, useState } from 'react'

/** What a button is given that opens something: it says so, and is what the opened part stands at. */
export type PopupButtonProps = {
  readonly ref: Ref<HTMLButtonElement>
  readonly id: string
  readonly onClick: MouseEventHandler
  readonly onKeyDown: KeyboardEventHandler
  readonly 'aria-haspopup': 'menu' | 'dialog'
  readonly 'aria-expanded': boolean
  /** Where styles tell a button whose part is open. */
  readonly 'data-expanded': boolean | undefined
}

/** What a frame needs to be drawn at a button. */
export type PopupAnchor = { readonly id: string; readonly element: HTMLElement | null }

/** A button and what it opens, which is fetched when it is first wanted: until then there is the button alone. */
export type Popup = {
  readonly isOpen: boolean
  /** Whether it ever was: what was never opened need not be drawn. */
  readonly wasOpened: boolean
  readonly setOpen: (isOpen: boolean) => void
  readonly anchor: PopupAnchor
  readonly buttonProps: PopupButtonProps
}

/** Keeps whether a menu or a panel is open. */
export function usePopup(kind: 'menu' | 'dialog'): Popup {
  const id = useId()
  const [element, setElement] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const setOpen = useCallback((next: boolean) => {
    setIsOpen(next)
    if (next) setWasOpened(true)
  }, [])
  return {
    isOpen,
    wasOpened,
    setOpen,
    anchor: { id, element },
    buttonProps: {
      ref: setElement,
      // Mantine labels the opened menu or panel by this ID.
      id,
      onClick: () => setOpen(!isOpen),
      // Until what was opened has taken the keyboard, Escape is pressed here.
      onKeyDown: (event) => {
        if (!isOpen || event.key !== 'Escape') return
        event.stopPropagation()
        setOpen(false)
      },
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      'data-expanded': isOpen || undefined,
    },
  }
}
