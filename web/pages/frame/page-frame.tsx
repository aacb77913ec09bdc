import type { ReactNode } from 'react'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import './page-frame.css'

type PageFrameProps = {
  readonly title: string
  /** What the page is called where its title greets rather than names. */
  readonly name?: string
  readonly lead?: ReactNode
  /** What can be done on this page as a whole. */
  readonly actions?: ReactNode
  /** `narrow` for forms and words, `middle` for settings, `wide` for tables, `full` for what uses all the room there is. */
  readonly width?: 'narrow' | 'middle' | 'wide' | 'full'
  readonly children: ReactNode
}

/** The frame of an ordinary page inside the shell: its name, what can be done, its content. */
export function PageFrame({ title, name = title, lead, actions, width = 'narrow', children }: PageFrameProps) {
  usePageTitle(name)
  return (
    <div className="page-frame" data-width={width}>
      <header className="page-frame-head">
        <div data-tour="page-title">
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && (
          <div className="page-frame-actions" data-tour="page-actions">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}
