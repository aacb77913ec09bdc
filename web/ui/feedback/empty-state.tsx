import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import './feedback.css'

/** What a place says that has nothing in it. */
export type EmptyStateProps = {
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
