import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import './record-list-card.css'

type RecordListCardProps = {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function RecordListCard({ title, aside, children }: RecordListCardProps) {
  return (
    <section className="record-lines" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

type RecordListItemProps = {
  readonly collection: CollectionBody
  readonly record: string
  /** Empty if the record has no title. */
  readonly title: string
  readonly mark?: ReactNode
  readonly when?: ReactNode
  readonly actions?: ReactNode
}

export function RecordListItem({ collection, record, title, mark, when, actions }: RecordListItemProps) {
  return (
    <li className="record-line-of-home">
      <Link to="/collections/$collection/$record" params={{ collection: collection.name, record }}>
        <CollectionIcon look={collection} />
        <span className="record-line-title" title={title || UNTITLED}>
          {title || UNTITLED}
        </span>
        {mark}
        <span className="record-line-where">{collection.label}</span>
        {when && <span className="record-line-when">{when}</span>}
      </Link>
      {actions}
    </li>
  )
}
