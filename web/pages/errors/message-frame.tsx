import type { ReactNode } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import './message-frame.css'

type MessageFrameProps = {
  readonly icon: Icon
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
}

export function MessageFrame({ icon: PageIcon, title, children, actions }: MessageFrameProps) {
  return (
    <div className="message-frame">
      <PageIcon className="message-frame-icon" size={28} stroke={1.5} aria-hidden />
      <h1>{title}</h1>
      <div className="message-frame-words">{children}</div>
      {actions && <div className="message-frame-actions">{actions}</div>}
    </div>
  )
}
