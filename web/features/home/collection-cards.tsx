import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CollectionBody } from '#api/collections.ts'
import { groupsOf } from '#domain/collections/sidebar-layout.ts'
import { recordCountsQuery } from '#web/data/queries/collections-query.ts'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { plural, t } from '#web/i18n/t.ts'
import './collection-cards.css'

type CollectionCardsProps = { readonly collections: readonly CollectionBody[] }

export function CollectionCards({ collections }: CollectionCardsProps) {
  const { data: counts } = useQuery(recordCountsQuery(collections.length))
  return (
    <div className="collection-shelves" data-tour="collections">
      {groupsOf(collections).map(({ name, members }) => (
        <section key={name ?? ''} aria-label={name ?? t('Collections')}>
          <h2>{name ?? t('Collections')}</h2>
          <ul className="collection-cards">
            {members.map((collection) => (
              <li key={collection.id}>
                <Card collection={collection} count={counts?.get(collection.id)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type CardProps = { readonly collection: CollectionBody; readonly count: number | undefined }

function Card({ collection, count }: CardProps) {
  const { name, label, color } = collection
  return (
    <Link to="/collections/$collection" params={{ collection: name }} className="collection-card">
      <span className="collection-card-spine" style={color && { background: `var(--choice-${color}-dot)` }} />
      <span className="collection-card-name">
        <CollectionIcon look={collection} size={20} />
        <strong>{label}</strong>
      </span>
      <span className="collection-card-count tabular">
        {count !== undefined && plural(count, '{n} record', '{n} records')}
      </span>
      <span className="collection-card-fields">{collection.description ?? describeFields(collection)}</span>
    </Link>
  )
}

const MAX_NAMED_FIELDS = 4

function describeFields({ fields }: CollectionBody): string {
  const named = fields.slice(0, MAX_NAMED_FIELDS).map(({ label }) => label)
  const rest = fields.length - named.length
  const names = named.join(', ')
  return rest > 0 ? t('{names} and {rest} more', { names, rest }) : names
}
