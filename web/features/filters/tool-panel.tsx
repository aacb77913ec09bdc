import { Button, Popover } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import './tool-panel.css'

type ToolPanelProps = {
  /** The name of the panel, and what its button says. */
  readonly label: string
  /** What the button says besides: how many are set, or which. */
  readonly state?: string | undefined
  readonly icon: ReactNode
  /** Whether what it holds changes the list. */
  readonly isActive: boolean
  readonly className: string
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  /** Undefined until it is there: the panel opens with what it offers, so that the keyboard finds its way into it. */
  readonly children: ReactNode | undefined
}

/** What opens inside a panel is drawn beside it in the page; a click in it is a click in the panel. */
const OWN_LISTS = '[role="listbox"], [role="menu"], .mantine-Combobox-dropdown'

/** A button with a panel of tools below it, which stays open while one works in it; on a phone a sheet at the foot. */
export function ToolPanel(props: ToolPanelProps) {
  const { label, state, icon, isActive, className, isOpen, onOpen, children } = props
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!isOpen) return undefined
    const closeOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Element)) return
      const isInside = panel.current?.contains(target) || button.current?.contains(target) || target.closest(OWN_LISTS)
      if (!isInside) onOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen, onOpen])

  return (
    <Popover
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      opened={isOpen && children !== undefined}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button
          ref={button}
          size="sm"
          variant={isActive ? 'light' : 'subtle'}
          color={isActive ? 'primary' : 'gray'}
          leftSection={icon}
          onClick={() => onOpen(!isOpen)}
        >
          {label}
          {state !== undefined && <span className="tool-state">{state}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        ref={panel}
        className={`tool-panel ${className}`}
        aria-label={label}
        onKeyDown={(event) => closeByEscape(event, () => onOpen(false))}
      >
        <div className="tool-sheet-head">
          <strong>{label}</strong>
          <Button size="sm" variant="subtle" onClick={() => onOpen(false)}>
            Done
          </Button>
        </div>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Escape first closes a list that is open inside, or gives back what is typed there. */
function closeByEscape(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const { target, key } = event
  if (key !== 'Escape' || event.defaultPrevented || !(target instanceof Element)) return
  if (!event.currentTarget.contains(target) || target.getAttribute('aria-expanded') === 'true') return
  event.stopPropagation()
  close()
}
