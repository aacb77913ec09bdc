import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import type { FavoriteBody } from '#api/home.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { useFavoriteMutations, useFavorites } from '#web/shared/favorites/favorite-button.tsx'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { IconGripVertical, IconStarFilled } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import './favorite-list.css'

export function FavoriteList() {
  const favourites = useFavorites()
  const { data: collections } = useQuery(collectionsQuery)
  const { order, remove } = useFavoriteMutations()
  const reorder = useReorder({
    items: favourites,
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name || UNTITLED,
    onReorder: (items) => order(items),
  })
  if (favourites.length === 0) return null
  return (
    <section className="favourites" aria-labelledby="favourites-title">
      <h2 id="favourites-title">{t('Favorites')}</h2>
      <ul ref={reorder.listRef}>
        {reorder.order.map((favourite) => (
          <FavoriteRow
            key={favourite.id}
            favourite={favourite}
            collection={collections?.find(({ id }) => id === favourite.collection)}
            reorder={reorder}
            onRemove={() => remove(favourite)}
          />
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {reorder.announcement}
      </span>
    </section>
  )
}

type FavoriteRowProps = {
  readonly favourite: FavoriteBody
  readonly collection: CollectionBody | undefined
  readonly reorder: Reorder<FavoriteBody>
  readonly onRemove: () => void
}

function FavoriteRow({ favourite, collection, reorder, onRemove }: FavoriteRowProps) {
  if (!collection) return null
  const name = favourite.name || UNTITLED
  return (
    <li className="sidebar-line" {...reorder.itemProps(favourite)}>
      <button {...reorder.handleProps(favourite)}>
        <IconGripVertical size={14} stroke={1.5} aria-hidden />
      </button>
      <FavoriteLink favourite={favourite} collection={collection.name}>
        <CollectionIcon look={collection} />
        <span title={name}>{name}</span>
      </FavoriteLink>
      <ActionIcon
        size="sm"
        className="sidebar-line-more"
        aria-label={t('Remove {name} from favorites', { name })}
        title={t('Remove from favorites')}
        onClick={onRemove}
      >
        <IconStarFilled size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}

type LinkProps = Pick<FavoriteRowProps, 'favourite'> & { readonly collection: string; readonly children: ReactNode }

function FavoriteLink({ favourite: { type, target }, collection, children }: LinkProps) {
  const look = { className: 'sidebar-link', children }
  if (type === 'record')
    return <Link to="/collections/$collection/$record" params={{ collection, record: target }} {...look} />
  const search = type === 'view' ? { view: target } : {}
  return (
    <Link
      to="/collections/$collection"
      params={{ collection }}
      search={search}
      activeOptions={{ exact: true, includeSearch: type === 'view' }}
      {...look}
    />
  )
}
