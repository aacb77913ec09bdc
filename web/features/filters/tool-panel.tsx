import { Button, Popover } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import './filters.css'

type ToolPanelProps = {
  /** The name of the panel. */
  readonly label: string
  /** What its button says, which may tell what is set. */
  readonly buttonLabel: string
  readonly icon: ReactNode
  /** Whether what it holds changes the list. */
  readonly isActive: boolean
  readonly className: string
  readonly children: ReactNode
}

/** Lists that open inside a panel are drawn beside it in the page; a click in one of them is a click in the panel. */
const OWN_LISTS = '[role="listbox"], .mantine-Combobox-dropdown'

/** A button with a panel of tools below it, which stays open while one works in it. */
export function ToolPanel({ label, buttonLabel, icon, isActive, className, children }: ToolPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!isOpen) return undefined
    const closeOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Element)) return
      const isInside = panel.current?.contains(target) || button.current?.contains(target) || target.closest(OWN_LISTS)
      if (!isInside) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  return (
    <Popover
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      opened={isOpen}
      onDismiss={() => setOpen(false)}
      closeOnClickOutside={false}
    >
      <Popover.Target>
        <Button
          ref={button}
          size="sm"
          variant={isActive ? 'light' : 'subtle'}
          color={isActive ? 'primary' : 'gray'}
          leftSection={icon}
          onClick={() => setOpen((before) => !before)}
        >
          {buttonLabel}
        </Button>
      </Popover.Target>
      <Popover.Dropdown ref={panel} className={className} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
