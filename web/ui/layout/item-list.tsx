import type { ReactNode } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import './item-list.css'

type ItemListProps = {
  readonly label: string
  /** What a tour points at it by. */
  readonly mark?: string
  readonly children: ReactNode
}

/** Things one below the other, each with its name, what is known of it, and what can be done. */
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
  /** A quieter line below. */
  readonly detail?: ReactNode
  /** A word that sets this one apart from the others. */
  readonly mark?: ReactNode
  readonly actions?: ReactNode
}

/** One of them. */
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
