import { type ReactNode, useEffect, useRef } from 'react'
import { IconInfoCircle } from '#web/ui/icons/general.ts'
import './feedback.css'
import { Button } from '@mantine/core'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import './feedback.css'

type NoticeProps = {
  /** What is so, in one short sentence. */
  readonly title: string
  readonly detail?: ReactNode
  /** Buttons: what can be done about it. */
  readonly actions?: ReactNode
  /** It takes the place of a button that had the keyboard, and takes that over. */
  readonly takesFocus?: boolean
}

/** Says in place what one should know now, and offers the next step. Read aloud when it appears, without interrupting. */
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

/** What a place says that has nothing in it. */
type EmptyStateProps = {
  /** A sign for what belongs here; decoration only. */
  readonly icon: Icon
  /** What belongs here, and why there is none of it. */
  readonly text: ReactNode
  /** The one thing to do about it. */
  readonly action?: { readonly label: string; readonly onClick: () => void } | undefined
  /** Buttons instead of the one, where there are several ways on. */
  readonly children?: ReactNode
}

/** An empty place that teaches: one sentence, one button. */
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
