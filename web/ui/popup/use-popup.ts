import { type KeyboardEventHandler, type MouseEventHandler, type Ref, useCallback, useId, useState } from 'react'

export type PopupButtonProps = {
  readonly ref: Ref<HTMLButtonElement>
  readonly id: string
  readonly onClick: MouseEventHandler
  readonly onKeyDown: KeyboardEventHandler
  readonly 'aria-haspopup': 'menu' | 'dialog'
  readonly 'aria-expanded': boolean
  readonly 'data-expanded': boolean | undefined
}

export type PopupAnchor = { readonly id: string; readonly element: HTMLElement | null }

export type Popup = {
  readonly isOpen: boolean
  readonly wasOpened: boolean
  readonly setOpen: (isOpen: boolean) => void
  readonly anchor: PopupAnchor
  readonly buttonProps: PopupButtonProps
}

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
      // Mantine uses this ID to label the menu or panel.
      id,
      onClick: () => setOpen(!isOpen),
      // Handles Escape until the opened element has focus.
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
