import { type ReactNode, useEffect, useRef } from 'react'
import { IconInfoCircle } from '#web/ui/icons/general.ts'
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
