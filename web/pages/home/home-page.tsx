import { Button, Skeleton } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { useCan } from '#web/data/authorization/use-can.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { NewCollectionDialog } from '#web/features/schema/collection/new-collection-dialog.tsx'
import { GettingStarted } from '#web/features/home/getting-started.tsx'
import { CollectionCards } from '#web/features/home/collection-cards.tsx'
import { DraftList, draftsQuery, RecentList, recentlyOpened } from '#web/features/home/recent-and-drafts.tsx'
import { ToDoList, toDoQuery } from '#web/features/home/to-do-list.tsx'
import { TourCard } from '#web/features/tours/tours.tsx'
import { toursQuery } from '#web/data/queries/workspace-queries.ts'
import { SampleProgress, useSample } from '#web/features/workspace/sample-workspace.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { IconFolder, IconPlus, IconTableImport } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import './home-page.css'
import { recordByIdQuery } from '#web/shared/lookups/use-record-by-id.ts'

/**
 * Whether all personal content has loaded or failed once. Its height is unknown until then, so later content would
 * shift. Failed queries are retried while the page is visible.
 */
function useHomeLoaded(collections: readonly CollectionBody[]): boolean {
  const user = useUser()
  const userId = user?.id ?? ''
  const recent = recentlyOpened(userId, collections)
  const settled = [
    useQueries({ queries: [toDoQuery(collections)], combine: areLoaded }),
    useQueries({ queries: [draftsQuery(userId)], combine: areLoaded }),
    useQueries({ queries: [{ ...toursQuery, enabled: user?.view_as?.is_on !== true }], combine: areLoaded }),
    useQueries({
      queries: recent.map(({ one, collection }) => recordByIdQuery(collection, one.record)),
      combine: areLoaded,
    }),
  ]
  const [wasSettled, setWasSettled] = useState(false)
  const isSettled = wasSettled || settled.every(Boolean)
  if (isSettled !== wasSettled) setWasSettled(isSettled)
  return isSettled
}

type Requested = { readonly data?: unknown; readonly failureCount: number; readonly isEnabled: boolean }

/** A failed query is retried, but the page doesn't wait for it. */
const areLoaded = (requested: readonly Requested[]): boolean =>
  requested.every(({ data, failureCount, isEnabled }) => !isEnabled || data !== undefined || failureCount > 0)

const templates = lazyModule(() => import('#web/features/schema/collection/templates-dialog.tsx'))

export function HomePage() {
  const { data: collections, error, refetch } = useQuery(collectionsQuery)
  const mayManage = useCan('collections:manage')
  const { sample, load, isStarting } = useSample({ isOffered: mayManage })

  if (error && !collections) {
    return (
      <PageFrame title={t('Home')} width="wide">
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </PageFrame>
    )
  }
  if (sample?.state === 'running') {
    return (
      <PageFrame title={t('Home')} lead={t('This takes a few seconds. You can explore in the meantime.')}>
        <SampleProgress stored={sample.recordsStored} inAll={sample.recordsInAll} />
      </PageFrame>
    )
  }
  if (collections?.length === 0) {
    return <GettingStartedSection failure={sample?.failure ?? null} onSample={load} isSampleStarting={isStarting} />
  }
  return (
    <PageFrame title={t('Home')} width="full" actions={collections && <HomeActions />}>
      {collections ? <HomeSections collections={collections} /> : <CardsSkeleton />}
    </PageFrame>
  )
}

function HomeSections({ collections }: { readonly collections: readonly CollectionBody[] }) {
  const isSettled = useHomeLoaded(collections)
  const isEmpty = useHasNothingPersonal(collections)
  if (!isSettled) return <CardsSkeleton />
  const personal = (
    <div key="personal" className="home-own">
      <ToDoList collections={collections} />
      <DraftList collections={collections} />
      <RecentList collections={collections} />
    </div>
  )
  const cards = <CollectionCards key="collections" collections={collections} />
  return (
    <div className="home">
      <TourCard />
      <div className="home-columns" data-empty={isEmpty || undefined}>
        {isEmpty ? [cards, personal] : [personal, cards]}
      </div>
    </div>
  )
}

/** Without personal content, collections are shown first. */
function useHasNothingPersonal(collections: readonly CollectionBody[]): boolean {
  const userId = useUser()?.id ?? ''
  const { data: toDo } = useQuery(toDoQuery(collections))
  const { data: drafts = [] } = useQuery(draftsQuery(userId))
  const hasRecords = (toDo?.items.length ?? 0) + drafts.length + recentlyOpened(userId, collections).length > 0
  return !hasRecords
}

function CardsSkeleton() {
  return (
    <div className="collection-cards" aria-hidden>
      <Skeleton height={128} radius="md" />
      <Skeleton height={128} radius="md" />
      <Skeleton height={128} radius="md" />
    </div>
  )
}

function HomeActions() {
  const mayManage = useCan('collections:manage')
  const mayImport = useCan('records:import')
  const [isNaming, setIsNaming] = useState(false)
  return (
    <>
      {mayImport && (
        <Button component={Link} to="/import" leftSection={<IconTableImport size={16} stroke={1.5} />}>
          {t('Import CSV')}
        </Button>
      )}
      {mayManage && (
        <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => setIsNaming(true)}>
          {t('New collection')}
        </Button>
      )}
      <NewCollectionDialog isOpen={isNaming} onClose={() => setIsNaming(false)} />
    </>
  )
}

type GettingStartedSectionProps = {
  readonly failure: string | null
  readonly onSample: () => void
  readonly isSampleStarting: boolean
}

function GettingStartedSection({ failure, onSample, isSampleStarting }: GettingStartedSectionProps) {
  const user = useUser()
  const mayManage = useCan('collections:manage')
  const navigate = useNavigate()
  const [isNaming, setIsNaming] = useState(false)
  const [isTemplate, setIsTemplate] = useState(false)
  const { TemplatesDialog } = useLazyModule(templates, isTemplate) ?? {}

  if (!mayManage) {
    return (
      <PageFrame title={t('Home')}>
        <EmptyState
          icon={IconFolder}
          text={t('You don’t have access to any collections. Ask an owner of this workspace.')}
          action={{ label: t('Your permissions'), onClick: () => void navigate({ to: '/account/profile' }) }}
        />
      </PageFrame>
    )
  }
  return (
    <PageFrame
      name={t('Home')}
      title={user ? t('Welcome, {name}', { name: user.name }) : t('Welcome')}
      lead={t(
        'Your workspace is empty. Create a collection for your records: cases, assets, samples or anything else. How do you want to start?',
      )}
    >
      {failure !== null && <ErrorNotice title={t('Couldn’t load the sample data')} detail={failure} />}
      <GettingStarted
        onSample={onSample}
        isSampleStarting={isSampleStarting}
        onTemplate={() => setIsTemplate(true)}
        onImport={() => void navigate({ to: '/import' })}
        onEmpty={() => setIsNaming(true)}
      />
      <NewCollectionDialog isOpen={isNaming} onClose={() => setIsNaming(false)} />
      {TemplatesDialog && <TemplatesDialog isOpen={isTemplate} onClose={() => setIsTemplate(false)} />}
    </PageFrame>
  )
}
