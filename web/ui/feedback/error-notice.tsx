import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconAlertCircle } from '#web/ui/icons/start.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import './feedback.css'

/** What is said where something went wrong. */
export type ErrorNoticeProps = {
  /** What happened, in one short sentence. */
  readonly title: string
  /** What is safe and what to do next. */
  readonly detail?: ReactNode
  /** What a person can quote when asking for help. */
  readonly reference?: string
  readonly onRetry?: () => void
  readonly retryLabel?: string
}

/** Says in place what went wrong, what is safe, and offers the next step. Read aloud when it appears. */
export function ErrorNotice({ title, detail, reference, onRetry, retryLabel }: ErrorNoticeProps) {
  return (
    <div className="error-notice" role="alert">
      <IconAlertCircle className="error-notice-icon" size={18} stroke={1.5} aria-hidden />
      <div className="error-notice-words">
        <p className="error-notice-title">{title}</p>
        {detail && <div className="error-notice-detail">{detail}</div>}
        {reference && <div className="error-notice-reference">{UI_TEXTS.error.reference(reference)}</div>}
        {onRetry && (
          <Button size="xs" onClick={onRetry}>
            {retryLabel ?? UI_TEXTS.error.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
