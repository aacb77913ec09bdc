import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { PanelButton } from '#web/kit/popup/panel-button.tsx'
import { usePopup } from '#web/kit/popup/use-popup.ts'
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
  const popup = usePopup('dialog')
  const { isOpen, setOpen, anchor } = popup
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!isOpen) return undefined
    const closeOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Element)) return
      const isInside = panel.current?.contains(target) || anchor.element?.contains(target) || target.closest(OWN_LISTS)
      if (!isInside) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen, setOpen, anchor.element])

  return (
    <PanelButton
      popup={popup}
      label={label}
      className={className}
      panel={panel}
      closesOutside={false}
      button={(props) => (
        <Button
          {...props}
          size="sm"
          variant={isActive ? 'light' : 'subtle'}
          color={isActive ? 'primary' : 'gray'}
          leftSection={icon}
        >
          {buttonLabel}
        </Button>
      )}
    >
      {children}
    </PanelButton>
  )
}
