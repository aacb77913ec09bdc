import { Button } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { t } from '#web/i18n/t.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { PanelButton } from './panel-button.tsx'
import type { Popup } from './use-popup.ts'
import './tool-panel.css'

type ToolPanelProps = {
  readonly popup: Popup
  /** By what the palette and the keys know it; left out where its button alone opens it. */
  readonly command?: string
  /** The name of the panel, and what its button says. */
  readonly label: string
  /** What the button says besides: how many are set, or which. */
  readonly state: string | undefined
  readonly icon: Icon
  readonly className: string
  readonly position?: 'bottom-start' | 'bottom-end'
  /** Undefined until it is there: the panel opens with what it offers, so that the keyboard finds its way into it. */
  readonly children: ReactNode | undefined
}

/** A button with a panel of tools below it, which stays open while one works in it; on a phone a sheet at the foot. */
export function ToolPanel({
  popup,
  command,
  label,
  state,
  icon: PanelIcon,
  className,
  position,
  children,
}: ToolPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useClosing(popup, panel)
  useCommand(
    command === undefined
      ? undefined
      : { id: command, label, about: 'page', icon: PanelIcon, run: () => popup.setOpen(true) },
  )
  return (
    <PanelButton
      popup={popup}
      label={label}
      className={`tool-panel ${className}`}
      panel={panel}
      {...(position && { position })}
      closesItself={false}
      button={(props) => (
        <Button
          {...props}
          size="sm"
          variant={state === undefined ? 'subtle' : 'light'}
          color={state === undefined ? 'gray' : 'primary'}
          leftSection={<PanelIcon size={16} stroke={1.5} />}
        >
          {label}
          {state !== undefined && <span className="tool-state">{state}</span>}
        </Button>
      )}
    >
      {children && (
        <>
          {/* Not merely hidden elsewhere: the keyboard would be sent there first. */}
          {isSheet() && (
            <div className="tool-sheet-head">
              <strong>{label}</strong>
              <Button size="sm" variant="subtle" onClick={() => popup.setOpen(false)}>
                {t('Done')}
              </Button>
            </div>
          )}
          {children}
        </>
      )}
    </PanelButton>
  )
}

/** Whether the panel is drawn as a sheet, by the same width as in the style sheet. */
const isSheet = (): boolean => window.matchMedia('(width < 600px)').matches

/** What opens inside a panel is drawn beside it in the page; a click in it is a click in the panel. */
const OWN_LISTS = '[role="listbox"], [role="menu"], .mantine-Combobox-dropdown, .mantine-Popover-dropdown'

/** Closes on a press elsewhere and by Escape, unless that closes a list inside or gives back what is typed there. */
function useClosing({ isOpen, setOpen, anchor }: Popup, panel: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const closeOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Element)) return
      const isInside = panel.current?.contains(target) || anchor.element?.contains(target) || target.closest(OWN_LISTS)
      if (!isInside) setOpen(false)
    }
    const closeByKey = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || !(target instanceof Element)) return
      const isHere = panel.current?.contains(target) || target === document.body
      if (isHere && target.getAttribute('aria-expanded') !== 'true') setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [isOpen, setOpen, anchor.element, panel])
}
