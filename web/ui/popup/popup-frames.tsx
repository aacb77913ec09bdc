import { Menu, Popover, type PopoverProps, Tooltip } from '@mantine/core'
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

/** Excludes key events, because releasing the key that opened the menu would close it. */
const PRESSES = ['mousedown', 'touchstart']

type MenuFrameProps = FrameProps & {
  readonly widthPx: number
  readonly givesFocusBack: boolean
}

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
  readonly panel: Ref<HTMLDivElement> | undefined
  readonly closesItself: boolean
}

export function PanelFrame({ label, panel, closesItself, className, children, ...frame }: PanelFrameProps) {
  return (
    <Popover
      {...useFrame(frame)}
      middlewares={{ flip: true, shift: shiftWithin(frame.anchor.element) }}
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

type DescriptionFrameProps = {
  readonly anchor: HTMLElement
  readonly position: 'top-start' | 'bottom-start'
  readonly children: ReactNode
}

export const DescriptionFrame = ({ anchor, position, children }: DescriptionFrameProps) => (
  <Tooltip target={anchor} opened label={children} position={position} className="description-tooltip" />
)

/**
 * Rendered closed and opened immediately afterwards, because focus is restored only for a panel that changes from
 * closed to open.
 */
function useFrame({ anchor, isOpen, onOpen, position }: Omit<FrameProps, 'className' | 'children'>) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return { id: anchor.id, position, opened: isOpen && isDrawn, onChange: onOpen } satisfies PopoverProps
}

/** Keeps a panel within the page's main area, so that it doesn't cover the help panel. */
function shiftWithin(anchor: HTMLElement | null) {
  const boundary = anchor?.closest('main')
  return { padding: 12, ...(boundary && { boundary }) }
}

type AnchorProps = { readonly ref?: Ref<HTMLElement | null>; readonly element: HTMLElement | null }

function Anchor({ ref, element }: AnchorProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element, [element])
  return null
}
