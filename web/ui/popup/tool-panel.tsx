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
  /** ID for the command palette and shortcuts; omit it if the panel is opened only with its button. */
  readonly command?: string
  readonly label: string
  readonly state: string | undefined
  readonly icon: Icon
  readonly className: string
  readonly position?: 'bottom-start' | 'bottom-end'
  readonly children: ReactNode | undefined
}

/** A button with a tool panel that stays open while in use; on phones, the panel is a bottom sheet. */
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
          {/* Removed instead of hidden, because a hidden element would receive focus first. */}
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

/** Whether the panel is a bottom sheet; the breakpoint must match the style sheet. */
const isSheet = (): boolean => window.matchMedia('(width < 600px)').matches

/** A panel's popups are rendered outside it, but clicks in them count as clicks inside the panel. */
const OWN_LISTS = '[role="listbox"], [role="menu"], .mantine-Combobox-dropdown, .mantine-Popover-dropdown'

/** Closes the panel on outside clicks and on Escape, unless Escape closes a list in the panel or resets an input. */
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
