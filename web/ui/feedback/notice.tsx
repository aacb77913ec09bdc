import { type ReactNode, useEffect, useRef } from 'react'
import { IconInfoCircle } from '#web/ui/icons/general.ts'
import './feedback.css'
import { Button } from '@mantine/core'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

type NoticeProps = {
  readonly title: string
  readonly detail?: ReactNode
  readonly actions?: ReactNode
  /** Whether the notice takes focus from the button that it replaces. */
  readonly takesFocus?: boolean
}

export function Notice({ title, detail, actions, takesFocus = false }: NoticeProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) place.current?.focus()
  }, [takesFocus])
  return (
    <div ref={place} className="notice" role="status" {...(takesFocus && { tabIndex: -1 })}>
      <IconInfoCircle className="notice-icon" size={18} stroke={1.5} aria-hidden />
      <div className="notice-words">
        <p className="notice-title">{title}</p>
        {detail && <div>{detail}</div>}
        {actions && <div className="notice-actions">{actions}</div>}
      </div>
    </div>
  )
}

type EmptyStateProps = {
  readonly icon: Icon
  readonly text: ReactNode
  readonly action?: { readonly label: string; readonly onClick: () => void } | undefined
  readonly children?: ReactNode
}

export function EmptyState({ icon: PlaceIcon, text, action, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <PlaceIcon className="empty-state-icon" size={32} stroke={1.25} aria-hidden />
      <p>{text}</p>
      {action && (
        <Button variant="filled" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
      {children && <div className="empty-state-ways">{children}</div>}
    </div>
  )
}
