import { ActionIcon, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'

import { collectionsQuery, recordCountsQuery, refetchCountsAfterChanges } from '#web/data/queries/collections-query.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import { SidebarFilter, useSidebarFilter } from './sidebar-filter.tsx'
import { SidebarGroups } from './sidebar-groups.tsx'
import type { SidebarDialog } from './sidebar-row-props.ts'
import '../schema.css'
import './collection-sidebar.css'

const newCollection = lazyModule(() => import('#web/features/schema/collection/new-collection-dialog.tsx'))
const dialogs = lazyModule(() => import('./sidebar-dialogs.tsx'))

const NO_COUNTS: ReadonlyMap<string, number> = new Map()

export function CollectionSidebar() {
  const { data: collections, isError, refetch } = useQuery(collectionsQuery)
  const counts = useCounts(collections?.length ?? 0)
  const [asked, ask] = useState<SidebarDialog>()
  const { SidebarDialogs } = useLazyModule(dialogs, asked !== undefined) ?? {}
  const filter = useSidebarFilter(collections ?? [])

  return (
    <section className="collection-sidebar" aria-labelledby="collection-sidebar-title">
      <SidebarHeader />
      <SidebarState count={collections?.length} isError={isError} onRetry={() => void refetch()} />
      <SidebarFilter filter={filter} />
      <SidebarGroups
        collections={filter.found}
        mayArrange={!filter.isNarrowed && canArrange(collections)}
        isFlat={filter.isNarrowed}
        counts={counts}
        onAsk={ask}
      />
      {SidebarDialogs && collections && (
        <SidebarDialogs asked={asked} collections={collections} onClose={() => ask(undefined)} />
      )}
    </section>
  )
}

type SidebarStateProps = {
  /** Undefined while loading. */
  readonly count: number | undefined
  readonly isError: boolean
  readonly onRetry: () => void
}

function SidebarState({ count, isError, onRetry }: SidebarStateProps) {
  if (count === 0) return <p className="collection-sidebar-none">{t('None yet')}</p>
  if (count !== undefined) return null
  if (!isError) return <SidebarSkeleton />
  return (
    <button type="button" className="collection-sidebar-retry" onClick={onRetry}>
      {t('Couldn’t load the list. Try again')}
    </button>
  )
}

/** Arranging requires managing every collection. */
const canArrange = (collections: readonly CollectionBody[] = []): boolean =>
  collections.every(({ can }) => can.includes('collections:manage'))

/** Counts follow changes in this tab. */
function useCounts(collections: number): ReadonlyMap<string, number> {
  const queryClient = useQueryClient()
  const { data = NO_COUNTS } = useQuery({ ...recordCountsQuery(collections), enabled: collections > 0 })
  useEffect(() => refetchCountsAfterChanges(queryClient), [queryClient])
  return data
}

function SidebarHeader() {
  const mayManage = useCan('collections:manage')
  const [isNaming, setNaming] = useState(false)
  const { NewCollectionDialog } = useLazyModule(newCollection, isNaming) ?? {}
  return (
    <div className="collection-sidebar-head">
      <h2 id="collection-sidebar-title">{t('Collections')}</h2>
      {mayManage && (
        <ActionIcon
          size="xs"
          title={t('New collection')}
          aria-label={t('New collection')}
          onClick={() => setNaming(true)}
        >
          <IconPlus size={16} stroke={1.5} />
        </ActionIcon>
      )}
      {NewCollectionDialog && <NewCollectionDialog isOpen={isNaming} onClose={() => setNaming(false)} />}
    </div>
  )
}

function SidebarSkeleton() {
  return (
    <div className="collection-sidebar-wait" aria-hidden>
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="50%" />
      <Skeleton height={14} width="62%" />
    </div>
  )
}
