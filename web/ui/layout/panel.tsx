import { type ReactNode, useId } from 'react'
import './panel.css'

type PanelProps = {
  readonly title: string
  /** One or two sentences: what this is for. */
  readonly lead?: ReactNode
  /** A word on how it stands, beside the title. */
  readonly state?: ReactNode
  /** What a tour points at it by, and what an address names behind its `#`. */
  readonly mark?: string
  readonly children: ReactNode
}

/** One subject of a settings page: what it is on the left, what can be done on the right; one below the other if narrow. */
export function Panel({ title, lead, state, mark, children }: PanelProps) {
  const titleId = useId()
  return (
    <section className="panel" data-tour={mark} aria-labelledby={titleId}>
      <div className="panel-words">
        <div className="panel-title">
          <h2 id={titleId}>{title}</h2>
          {state}
        </div>
        {lead && <p>{lead}</p>}
      </div>
      <div className="panel-body">{children}</div>
    </section>
  )
}
