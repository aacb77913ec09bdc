import { type ReactNode, useEffect, useState } from 'react'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import './feedback.css'
import { Button } from '@mantine/core'
import { IconAlertCircle } from '#web/ui/icons/start.ts'

export type ProgressLineProps = {
  readonly label?: string
  /** Progress from 0 to 1; omitted while unknown. */
  readonly done?: number
  /** Delay in ms before the progress line is shown, to avoid flicker during fast operations. Defaults to 1000. */
  readonly afterMs?: number
}

const SHOW_AFTER_MS = 1000

export function ProgressLine({ label = UI_TEXTS.progress.working, done, afterMs = SHOW_AFTER_MS }: ProgressLineProps) {
  const [isShown, setShown] = useState(afterMs === 0)

  useEffect(() => {
    const timer = setTimeout(() => setShown(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])

  if (!isShown) return null
  const percent = done === undefined ? undefined : Math.round(Math.min(1, Math.max(0, done)) * 100)

  return (
    <div className="progress-line">
      <div
        className="progress-line-track"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(percent !== undefined && { 'aria-valuenow': percent })}
      >
        <div
          className="progress-line-bar"
          data-unknown={percent === undefined || undefined}
          style={percent === undefined ? undefined : { transform: `scaleX(${percent / 100})` }}
        />
      </div>
      <div className="progress-line-label" aria-hidden>
        {label}
      </div>
    </div>
  )
}

type ErrorNoticeProps = {
  readonly title: string
  /** Explains what was kept and what to do next. */
  readonly detail?: ReactNode
  readonly reference?: string
  readonly onRetry?: () => void
  readonly retryLabel?: string
}

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
