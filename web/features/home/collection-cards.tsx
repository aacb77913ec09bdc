import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CollectionBody } from '#api/collections.ts'
import { recordCountQuery } from '#web/client/collections-query.ts'
import './collection-cards.css'

type CollectionCardsProps = { readonly collections: readonly CollectionBody[] }

/** The collections as binders on a shelf, each with how much is in it. */
export function CollectionCards({ collections }: CollectionCardsProps) {
  return (
    <ul className="collection-cards" data-tour="collections">
      {collections.map((collection) => (
        <li key={collection.id}>
          <Link to="/collections/$collection" params={{ collection: collection.name }} className="collection-card">
            <strong>{collection.label}</strong>
            <RecordCount collection={collection} />
            <span className="collection-card-fields">{fieldsInWords(collection)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** As many fields as tell a collection from the others at a glance. */
const NAMED_FIELDS = 4

function fieldsInWords({ fields }: CollectionBody): string {
  const named = fields.slice(0, NAMED_FIELDS).map(({ label }) => label)
  const rest = fields.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}

function RecordCount({ collection }: { readonly collection: CollectionBody }) {
  const { data: count, isPending, isError } = useQuery(recordCountQuery(collection.name))
  if (isPending) return <Skeleton className="collection-card-count" height={14} width={84} radius="xs" />
  if (isError || count.total === null) return <span className="collection-card-count">Count not available</span>
  const { total, isExact } = count
  return (
    <span className="collection-card-count tabular">
      {isExact ? '' : 'more than '}
      {total.toLocaleString()} {total === 1 ? 'record' : 'records'}
    </span>
  )
}
