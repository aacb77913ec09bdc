import { ActionIcon, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { collectionsQuery } from '#web/client/collections-query.ts'
import { useCan } from '#web/client/use-can.ts'
import { IconFolder } from '#web/kit/icons/icon-folder.ts'
import { IconPlus } from '#web/kit/icons/icon-plus.ts'
import { later, useLater } from '#web/kit/later.ts'
import './collections.css'

const newCollection = later(() => import('./new-collection-dialog.tsx'))

/** The collections, in the order their owner gave them, and the way to a new one. */
export function CollectionSidebar() {
  const { data: collections, isError, refetch } = useQuery(collectionsQuery)
  const mayManage = useCan('collections:manage')
  const [isNaming, setNaming] = useState(false)
  const { NewCollectionDialog } = useLater(newCollection, isNaming) ?? {}

  return (
    <section className="collection-sidebar" aria-labelledby="collection-sidebar-title">
      <div className="collection-sidebar-head">
        <h2 id="collection-sidebar-title">Collections</h2>
        {mayManage && (
          <ActionIcon size="xs" title="New collection" aria-label="New collection" onClick={() => setNaming(true)}>
            <IconPlus size={16} stroke={1.5} />
          </ActionIcon>
        )}
      </div>
      {collections === undefined && !isError && <SidebarOnTheWay />}
      {collections === undefined && isError && (
        <button type="button" className="collection-sidebar-retry" onClick={() => void refetch()}>
          The list could not be read. Try again
        </button>
      )}
      {collections?.length === 0 && <p className="collection-sidebar-none">None yet</p>}
      <ul>
        {collections?.map((collection) => (
          <SidebarItem key={collection.id} collection={collection} />
        ))}
      </ul>
      {NewCollectionDialog && <NewCollectionDialog isOpen={isNaming} onClose={() => setNaming(false)} />}
    </section>
  )
}

function SidebarItem({ collection: { name, label } }: { readonly collection: CollectionBody }) {
  return (
    <li>
      <Link
        to="/collections/$collection"
        params={{ collection: name }}
        className="sidebar-link"
        activeOptions={{ exact: false, includeSearch: false }}
      >
        <IconFolder size={18} stroke={1.5} aria-hidden />
        <span>{label}</span>
      </Link>
    </li>
  )
}

function SidebarOnTheWay() {
  return (
    <div className="collection-sidebar-wait" aria-hidden>
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="50%" />
      <Skeleton height={14} width="62%" />
    </div>
  )
}
