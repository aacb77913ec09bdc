import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import './states.css'

/** What a place says that has nothing in it. */
export type EmptyStateProps = {
  /** One sentence that teaches what belongs here. */
  readonly text: ReactNode
  /** The one thing to do about it. */
  readonly action?: { readonly label: string; readonly onClick: () => void }
  /** A small line drawing or icon; decoration only. */
  readonly icon?: ReactNode
}

/** An empty place that teaches: one sentence, one button. */
export function EmptyState({ text, action, icon }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {icon && (
        <div className="empty-state-icon" aria-hidden>
          {icon}
        </div>
      )}
      <p>{text}</p>
      {action && (
        <Button variant="filled" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </div>
  )
}
