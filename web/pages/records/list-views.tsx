import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { ViewBody } from '#api/views.ts'
import { type PageSize, TABLE } from '#domain/specification.ts'
import { readStored, setStored } from '#web/data/storage/browser-storage.ts'
import {
  DEFAULT_LIST_QUERY,
  type ListQuery,
  pageSizeOf,
  printChangedParams,
  queryOfView,
  queryToSave,
} from '#web/features/list-toolbar/url/list-query-params.ts'
import { NO_VIEW, useViews } from '#web/features/saved-views/use-views.ts'
import { MissingPartsNotice, ViewsBar } from '#web/features/saved-views/views-bar.tsx'
import '#web/features/saved-views/views.css'
import { t } from '#web/i18n/t.ts'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import '#web/ui/grid/grid.css'
import { IconEyeOff } from '#web/ui/icons/general.ts'
import { SlowNotice } from '#web/views/listing/list-notices.tsx'
import {
  DEFAULT_LIST_SETTINGS,
  type ListSettings,
  type SavedListSettings,
  settingsOfView,
  settingsToSave,
} from '#web/views/listing/list-settings.ts'
import './list-skeleton.css'
import './records-page.css'

type ListSkeletonProps = {
  /** The collection's label, if already loaded. */
  readonly label?: string
}

/** A skeleton with the height of a loaded list in every section, to avoid layout shifts. */
export function ListSkeleton({ label }: ListSkeletonProps) {
  return (
    <div className="records-room">
      <div className="records-page list-skeleton" role="status" aria-busy aria-label={t('Loading')}>
        <header className="records-head">
          <h1>{label ?? <NameSkeleton />}</h1>
        </header>
        <div className="records-tools">
          <div className="list-skeleton-search" />
        </div>
        <div className="records-grid list-skeleton-rows">
          {Array.from({ length: Number(TABLE.defaultPageSize) + 1 }, (_, at) => (
            <div key={at}>
              <span className="grid-skeleton" style={{ width: `${18 + ((at * 37) % 14)}%` }} />
              <span className="grid-skeleton" style={{ width: `${8 + ((at * 29) % 10)}%` }} />
              <span className="grid-skeleton" style={{ width: `${10 + ((at * 23) % 9)}%` }} />
            </div>
          ))}
          <SlowNotice isWaiting />
        </div>
      </div>
    </div>
  )
}

function NameSkeleton() {
  return (
    <>
      <span className="visually-hidden">{t('Records')}</span>
      <span className="grid-skeleton list-skeleton-title" />
    </>
  )
}

export type ActiveView = {
  readonly views: readonly ViewBody[]
  readonly areComing: boolean
  readonly view: ViewBody | undefined
  /** The view doesn't exist or isn't visible to this user. */
  readonly isGone: boolean
  /** The query that applies if the URL contains no changes. */
  readonly base: ListQuery
  readonly look: SavedListSettings | undefined
}

type ViewGateProps = {
  readonly collection: TypedCollection
  readonly children: (inForce: ActiveView) => ReactNode
}

const NO_VIEWS: readonly ViewBody[] = []

/** Renders the list only after the view is loaded, to avoid flashing an unfiltered list. */
export function ViewGate({ collection, children }: ViewGateProps) {
  const { views, view, is, error, retry } = useViews(collection)
  const base = useMemo(
    () => (view ? queryOfView(view) : { ...DEFAULT_LIST_QUERY, perPage: rememberedPageSize(collection) }),
    [view, collection],
  )
  const look = useMemo(() => view && settingsOfView(collection, view), [collection, view])
  if (is === 'waiting') return <ListSkeleton label={collection.label} />
  if (is === 'failed' && error) {
    return (
      <PageFrame title={collection.label} width="full">
        <FailureNotice error={error} onRetry={retry} />
      </PageFrame>
    )
  }
  const areComing = views === undefined && error === null
  return children({ views: views ?? NO_VIEWS, areComing, view, isGone: is === 'gone', base, look })
}

type ListViewsProps = {
  readonly collection: TypedCollection
  readonly inForce: ActiveView
  readonly query: ListQuery
  readonly arranged: ListArrangement
}

/** The list's settings and whether they differ from the active view. */
type ListArrangement = { readonly look: ListSettings; readonly isChanged: boolean; readonly reset: () => void }

export function ListViews({ collection, inForce, query, arranged }: ListViewsProps) {
  const { views, view, base } = inForce
  const open = useOpenView(collection, inForce, query)
  const isChanged =
    (view !== undefined && arranged.isChanged) || Object.keys(printChangedParams(query, base)).length > 0
  const resetLook = () => {
    // Without a view, the settings are stored in this browser and kept.
    if (view) arranged.reset()
  }
  return (
    <ViewsBar
      collection={collection}
      views={views}
      view={view}
      areComing={inForce.areComing}
      isPlain={view === undefined && !inForce.isGone}
      isChanged={isChanged}
      content={contentToSave(collection, query, arranged)}
      onOpen={(next) => open(next)}
      onReset={() => {
        resetLook()
        open(view?.id ?? null, { isSameView: true })
      }}
      onSaved={(saved, isNew) => {
        resetLook()
        open(saved.id, { isSameView: true, replace: !isNew })
      }}
    />
  )
}

export const MissingViewParts = ({ collection, inForce: { view }, query, arranged }: ListViewsProps) => (
  <MissingPartsNotice collection={collection} view={view} content={contentToSave(collection, query, arranged)} />
)

const contentToSave = (collection: TypedCollection, query: ListQuery, { look }: ListArrangement) => ({
  ...queryToSave(query),
  ...settingsToSave(collection, look),
})

/** Without a view, the page size is stored in this browser per collection. */
const pageSizeKey = ({ id }: TypedCollection) => `page-size.${id}`

export function rememberPageSize(collection: TypedCollection, { view }: ActiveView, perPage: PageSize): void {
  if (view === undefined) setStored(pageSizeKey(collection), String(perPage))
}

const rememberedPageSize = (collection: TypedCollection): PageSize =>
  pageSizeOf(readStored(pageSizeKey(collection))) ?? TABLE.defaultPageSize

function useOpenView(
  { name: collection }: TypedCollection,
  { views }: Pick<ActiveView, 'views'>,
  { asOf, day }: Pick<ListQuery, 'asOf' | 'day'> = { asOf: null, day: null },
) {
  const navigate = useNavigate()
  const plain = views.some(({ isDefault }) => isDefault) ? { view: NO_VIEW } : {}
  return (view: string | null, { isSameView = false, replace = false } = {}) =>
    void navigate({
      to: '/collections/$collection',
      params: { collection },
      search: {
        ...(view === null ? plain : { view }),
        ...(asOf !== null && { asOf }),
        ...(isSameView && day !== null && { day }),
      },
      replace,
    })
}

/** Shown if the active view filters by a field that the user can't access. */
export function HiddenViewNotice({ collection, inForce }: Pick<ListViewsProps, 'collection' | 'inForce'>) {
  usePageTitle(collection.label)
  const { view } = inForce
  const open = useOpenView(collection, inForce)
  const text = view
    ? t('This view filters by a field you don’t have access to, so no records are shown. It was created by {name}.', {
        name: view.owner.name,
      })
    : t('This view was deleted, or is no longer shared with you.')
  return (
    <div className="records-page">
      <header className="records-head">
        <h1>{collection.label}</h1>
        <ListViews collection={collection} inForce={inForce} query={inForce.base} arranged={DEFAULT_ARRANGEMENT} />
      </header>
      <EmptyState icon={IconEyeOff} text={text} action={{ label: t('Show all records'), onClick: () => open(null) }} />
    </div>
  )
}

const DEFAULT_ARRANGEMENT: ListArrangement = { look: DEFAULT_LIST_SETTINGS, isChanged: false, reset: () => undefined }
