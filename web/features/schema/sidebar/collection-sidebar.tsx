import { ActionIcon, CloseButton, Skeleton, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { collectionsQuery, recordCountsQuery, refetchCountsAfterChanges } from '#web/data/queries/collections-query.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { SidebarGroups } from './sidebar-groups.tsx'
import type { SidebarDialog } from './arrange-collections.ts'
import '#web/features/schema/schema.css'
import './collection-sidebar.css'
import { useNavigate } from '@tanstack/react-router'
import { foldText } from '#domain/shared/text.ts'
import { IconSearch } from '#web/ui/icons/start.ts'

const newCollection = lazyModule(() => import('#web/features/schema/collection/new-collection-dialog.tsx'))
const dialogs = lazyModule(() => import('./sidebar-dialogs.tsx'))

const NO_COUNTS: ReadonlyMap<string, number> = new Map()

export function CollectionSidebar() {
  const { data: collections, isError, refetch } = useQuery(collectionsQuery)
  const counts = useCounts(collections?.length ?? 0)
  const [requested, ask] = useState<SidebarDialog>()
  const { SidebarDialogs } = useLazyModule(dialogs, requested !== undefined) ?? {}
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
        <SidebarDialogs requested={requested} collections={collections} onClose={() => ask(undefined)} />
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

/** Rearranging requires permission to manage every collection. */
const canArrange = (collections: readonly CollectionBody[] = []): boolean =>
  collections.every(({ can }) => can.includes('collections:manage'))

/** Record counts by collection; refreshed after changes in this tab. */
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

export function SidebarSkeleton() {
  return (
    <div className="collection-sidebar-wait" aria-hidden>
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="50%" />
      <Skeleton height={14} width="62%" />
    </div>
  )
}

/** Minimum number of collections for showing the filter. */
const SHOWN_FROM = 16

type Filter = ReturnType<typeof useSidebarFilter>

function useSidebarFilter(collections: readonly CollectionBody[]) {
  const [text, setText] = useState('')
  const isShown = collections.length >= SHOWN_FROM
  const wanted = isShown ? foldText(text.trim()) : ''
  const isNarrowed = wanted !== ''
  const holds = ({ label, group }: CollectionBody): boolean =>
    foldText(label).includes(wanted) || (group !== undefined && foldText(group).includes(wanted))
  return { text, setText, isShown, isNarrowed, found: isNarrowed ? collections.filter(holds) : collections }
}

/** Enter opens the first match; Escape clears the filter. */
function SidebarFilter({ filter }: { readonly filter: Filter }) {
  const { text, setText, isShown, isNarrowed, found } = filter
  const navigate = useNavigate()
  if (!isShown) return null
  const [first] = found
  return (
    <div className="sidebar-filter">
      <TextInput
        size="xs"
        type="search"
        role="searchbox"
        aria-label={t('Find a collection')}
        placeholder={t('Find a collection')}
        value={text}
        leftSection={<IconSearch size={14} stroke={1.5} aria-hidden />}
        rightSection={
          text !== '' && <CloseButton size="xs" aria-label={t('Show all collections')} onClick={() => setText('')} />
        }
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            setText('')
          }
          if (event.key !== 'Enter' || !isNarrowed || !first) return
          void navigate({ to: '/collections/$collection', params: { collection: first.name } })
          setText('')
        }}
      />
      <span role="status" className="visually-hidden">
        {isNarrowed && plural(found.length, '{n} collection found', '{n} collections found')}
      </span>
      {isNarrowed && found.length === 0 && <p className="collection-sidebar-none">{t('No collections found')}</p>}
    </div>
  )
}
