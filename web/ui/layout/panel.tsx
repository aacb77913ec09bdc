import { type ReactNode, useId } from 'react'
import './panel.css'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import './item-list.css'

type PanelProps = {
  readonly title: string
  readonly lead?: ReactNode
  readonly state?: ReactNode
  readonly mark?: string
  readonly children: ReactNode
}

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

type ItemListProps = {
  readonly label: string
  readonly mark?: string
  readonly children: ReactNode
}

export function ItemList({ label, mark, children }: ItemListProps) {
  return (
    <ul className="line-list" data-tour={mark} aria-label={label}>
      {children}
    </ul>
  )
}

type ListItemProps = {
  readonly icon: Icon
  readonly title: ReactNode
  readonly detail?: ReactNode
  readonly mark?: ReactNode
  readonly actions?: ReactNode
}

export function ListItem({ icon: LineIcon, title, detail, mark, actions }: ListItemProps) {
  return (
    <li className="line">
      <span className="line-icon" aria-hidden>
        <LineIcon size={20} stroke={1.5} />
      </span>
      <div className="line-words">
        <div className="line-title">
          <span>{title}</span>
          {mark}
        </div>
        {detail && <div className="line-detail">{detail}</div>}
      </div>
      {actions && <div className="line-actions">{actions}</div>}
    </li>
  )
}
