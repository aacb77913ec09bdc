import { Menu, Popover, type PopoverProps } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react'
import type { PopupAnchor } from './use-popup.ts'

type FrameProps = {
  readonly anchor: PopupAnchor
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly position: 'bottom-start' | 'bottom-end'
  readonly className: string | undefined
  readonly children: ReactNode
}

/** Not keys as well: the one that opened the menu would close it again on its way up. */
const PRESSES = ['mousedown', 'touchstart']

type MenuFrameProps = FrameProps & {
  readonly widthPx: number
  /** Whether the keyboard comes back to the button when the menu is closed. */
  readonly givesFocusBack: boolean
}

/** A menu below a button that was there before it. */
export function MenuFrame({ widthPx, givesFocusBack, className, children, ...frame }: MenuFrameProps) {
  return (
    <Menu {...useFrame(frame)} width={widthPx} clickOutsideEvents={PRESSES} returnFocus={givesFocusBack}>
      <Menu.Target>
        <Anchor element={frame.anchor.element} />
      </Menu.Target>
      <Menu.Dropdown className={className}>{children}</Menu.Dropdown>
    </Menu>
  )
}

type PanelFrameProps = FrameProps & {
  readonly label: string
  /** Hears the panel itself come and go. */
  readonly panel: Ref<HTMLDivElement> | undefined
  /** Whether it closes on Escape and on a press elsewhere; otherwise whoever draws it does that. */
  readonly closesItself: boolean
}

/** A panel below a button that was there before it. */
export function PanelFrame({ label, panel, closesItself, className, children, ...frame }: PanelFrameProps) {
  return (
    <Popover
      {...useFrame(frame)}
      trapFocus
      returnFocus
      shadow="md"
      closeOnClickOutside={closesItself}
      closeOnEscape={closesItself}
    >
      <Popover.Target>
        <Anchor element={frame.anchor.element} />
      </Popover.Target>
      <Popover.Dropdown ref={panel} className={className} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Closed when it is first drawn, and open at once behind that: only what is seen to open gives back the keyboard. */
function useFrame({ anchor, isOpen, onOpen, position }: Omit<FrameProps, 'className' | 'children'>) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return { id: anchor.id, position, opened: isOpen && isDrawn, onChange: onOpen } satisfies PopoverProps
}

type AnchorProps = { readonly ref?: Ref<HTMLElement | null>; readonly element: HTMLElement | null }

/** Stands for the button where the frame looks for one of its own. */
function Anchor({ ref, element }: AnchorProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element, [element])
  return null
}
