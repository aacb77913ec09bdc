import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import { canGroupBy, type Field } from '#domain/fields/field.ts'
import { type PageSize, TABLE } from '#domain/specification.ts'
import { DEFAULT_DISPLAY } from '#domain/views/view-kinds.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { FilterProvider, type ListFilter } from '#web/shared/conditions/list-filter.tsx'
import { pastCollection, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useListFields } from '#web/features/schema/fields/use-list-fields.tsx'
import { useCollection } from '#web/features/schema/collection/collection-queries.ts'
import { AsOfBar, yesterday } from '#web/features/list-toolbar/as-of/as-of-bar.tsx'
import { FilterMenu, LazyColumnFilter } from '#web/features/list-toolbar/filter/filter-menu.tsx'
import { GroupMenu, SortMenu } from '#web/features/list-toolbar/sort-and-group/sort-and-group-menus.tsx'
import { groupNames, type ListQuery, listSort, orderedView } from '#web/features/list-toolbar/url/list-query-params.ts'
import { type ListQueryState, type QueryChange, useListQuery } from '#web/features/list-toolbar/url/use-list-query.ts'
import { PanelPlaceholder } from '#web/features/record/panel-width.tsx'
import { LayoutPanel } from '#web/features/list-toolbar/layout/layout-panel.tsx'
import type { FilterError } from '#web/views/listing/use-listing-rows.ts'
import { CollapseAll } from '#web/views/listing/groups/collapsed-groups.tsx'
import { type ListSettings, useListSettings } from '#web/views/listing/list-settings.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import { deletedRecords } from '#web/data/queries/record-queries.ts'
import { RecordList } from '#web/features/record-list/record-list.tsx'
import type { SearchHits } from '#web/features/record-list/use-search-hits.ts'
import { SelectionActions } from '#web/features/bulk/selection-actions.tsx'
import { SearchIndexNote } from '#web/features/search/index-status.tsx'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import type { FilterSlot } from '#web/ui/grid/columns/grid-column.ts'
import type { GridTotal } from '#web/ui/grid/grid-props.ts'
import { SearchBox } from '#web/ui/grid/header/debounced-inputs.tsx'
import {
  type GridSelection,
  NOTHING_SELECTED,
  selectionInOtherList,
  withRows,
} from '#web/ui/grid/selection/selection.ts'
import { IconFolder } from '#web/ui/icons/frame.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import {
  type ActiveView,
  HiddenViewNotice,
  ListSkeleton,
  ListViews,
  MissingViewParts,
  rememberPageSize,
  ViewGate,
} from './list-views.tsx'
import { MessageFrame, NotFoundPage } from '#web/pages/frame/error-pages.tsx'
import { EmptyList } from './empty-list.tsx'
import { ListHeader, type ListHeaderProps } from './list-header.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { useOpenRecord } from './use-open-record.ts'
import './records-page.css'

const recordPanel = lazyModule(() => import('#web/features/record/record-panel.tsx'))

/** The list page; its URL contains the complete state. */
export function RecordsPage() {
  const { collection: name = '' } = useParams({ strict: false })
  const { collection, error, retry } = useCollection(name)
  const seen = useLastKnownLabel(collection)
  if (collection === null) return seen === undefined ? <NotFoundPage /> : <CollectionGone label={seen} />
  if (collection === undefined) {
    if (!error) return <ListSkeleton />
    return (
      <PageFrame title={t('Records')} width="full">
        <FailureNotice error={error} onRetry={retry} />
      </PageFrame>
    )
  }
  return (
    <ViewGate key={collection.id} collection={collection}>
      {(inForce) => {
        const isOutOfSight = inForce.isGone || inForce.view?.isUsable === false
        const Shown = isOutOfSight ? HiddenViewNotice : CollectionRecords
        return <Shown collection={collection} inForce={inForce} />
      }}
    </ViewGate>
  )
}

/** Keeps the collection's label after the collection is deleted. */
function useLastKnownLabel(collection: TypedCollection | null | undefined): string | undefined {
  const [seen, setSeen] = useState<string>()
  if (collection && collection.label !== seen) setSeen(collection.label)
  return seen
}

function CollectionGone({ label }: { readonly label: string }) {
  usePageTitle(label)
  return (
    <MessageFrame
      icon={IconFolder}
      title={t('“{label}” no longer exists', { label })}
      actions={
        <Button component={Link} to={sessionConfig.routes.home} variant="filled">
          {t('Go home')}
        </Button>
      }
    >
      {t('It was deleted, or you no longer have access.')}
    </MessageFrame>
  )
}

type CollectionRecordsProps = { readonly collection: TypedCollection; readonly inForce: ActiveView }

function CollectionRecords({ collection: current, inForce }: CollectionRecordsProps) {
  usePageTitle(inForce.view?.name ?? current.label)
  const { query: requested, change } = useListQuery(current.name, inForce.base)
  const query = useMemo(() => withSingleGroups(requested, current), [requested, current])
  const isPast = query.asOf !== null
  const collection = useMemo(() => (isPast ? pastCollection(current) : current), [current, isPast])
  const arranged = useArrangement(collection, inForce, query, change)
  const { look, change: changeLook } = arranged
  const [selection, setSelection] = useSelection(query)
  const opened = useOpenRecord(collection, query, inForce.base)
  const fields = useListFields({ collection, look, onLook: changeLook })
  const created = (record: RecordBody) => opened.open(record.id, undefined)
  const listing = useMemo(
    () => ({ filter: query.filter, search: query.search, sort: listSort(query), at: query.asOf ?? undefined }),
    [query],
  )
  const list = { collection, listing, look }
  return (
    <FilterProvider filter={useColumnFilters(query, change)}>
      <RecordList
        collection={collection}
        listing={listing}
        sort={query.sort}
        onSort={(sort) => change({ sort })}
        movableIn={movableIn(query, inForce)}
        group={query.group}
        onGroup={(group) => change({ group })}
        page={query.page}
        perPage={query.perPage}
        onPage={(page, perPage, step) => {
          if (perPage !== query.perPage) rememberPageSize(collection, inForce, perPage)
          change({ page, perPage }, step)
        }}
        days={query}
        onDays={change}
        look={look}
        onLook={changeLook}
        renderFilter={renderColumnFilter}
        fieldActions={fields.actions}
        selection={selection}
        onSelection={setSelection}
        onOpen={({ record, ordinal }) => opened.open(record.id, ordinal)}
        onCreated={created}
        onClear={(refused) => change(refused === 'filter' ? { filter: '' } : { sort: [], group: null })}
        hrefOf={({ record, ordinal }) => opened.hrefOf(record.id, ordinal)}
        empty={<EmptyList collection={collection} query={query} change={change} onCreated={created} />}
        open={opened.row}
        renderBeside={(beside) => <SidePanel collection={collection} listing={listing} opened={opened} {...beside} />}
        renderAbove={(total, refusal, onStep) => {
          const shown = { ...list, inForce, query, change, arranged, allFields: current.fields }
          return <AboveList {...shown} total={total} refusal={refusal} onStep={onStep} onCreated={created} />
        }}
        renderBelow={(total) => (
          <SelectionActions {...list} selection={selection} total={total} onSelection={setSelection} />
        )}
      />
      {fields.element}
    </FilterProvider>
  )
}

/** The list's settings; the address can show records as a grid until another layout is chosen. */
function useArrangement(
  { id }: TypedCollection,
  { look: saved }: ActiveView,
  { layout }: ListQuery,
  change: ListQueryState['change'],
): ReturnType<typeof useListSettings> {
  const arranged = useListSettings(id, saved)
  const { look, change: changeLook } = arranged
  const shown = useMemo(() => (layout === null ? look : { ...look, display: DEFAULT_DISPLAY }), [layout, look])
  const onLook = useCallback(
    (part: Partial<ListSettings>) => {
      changeLook(part)
      if (part.display && layout !== null) change({ layout: null }, 'replace')
    },
    [changeLook, change, layout],
  )
  return { ...arranged, look: shown, change: onLook }
}

/** The view in whose manual order the list is, if the user can change it. */
function movableIn(query: ListQuery, { views }: ActiveView): string | undefined {
  const id = orderedView(query)
  return views.find((view) => view.id === id)?.mayChange === true ? id : undefined
}

/** A list shows each record once, so it isn’t grouped by fields that can have several values. */
function withSingleGroups(query: ListQuery, { fields }: TypedCollection): ListQuery {
  const names = groupNames(query.group)
  const hasSeveral = fields.some((field) => names.includes(field.name) && !canGroupBy(field))
  return hasSeveral ? { ...query, group: null } : query
}

type AboveListProps = CollectionRecordsProps &
  Omit<ListHeaderProps, 'onEarlier' | 'group' | 'children'> &
  Pick<ListToolsProps, 'query' | 'change' | 'refusal'> & {
    readonly arranged: ReturnType<typeof useListSettings>
    /** Also those that an earlier time doesn’t have. */
    readonly allFields: TypedCollection['fields']
  }

function AboveList({ inForce, query, change, arranged, refusal, allFields, ...header }: AboveListProps) {
  const { collection, onStep } = header
  const isPast = query.asOf !== null
  const view = { collection: { ...collection, fields: allFields }, inForce, query, arranged }
  return (
    <>
      <ListHeader {...header} group={query.group} onEarlier={isPast ? undefined : () => change({ asOf: yesterday() })}>
        <ListViews {...view} />
      </ListHeader>
      <MissingViewParts {...view} />
      <ListTools
        collection={collection}
        view={inForce.view}
        query={query}
        change={change}
        onPageSize={(perPage) => {
          rememberPageSize(collection, inForce, perPage)
          change({ page: 1, perPage })
        }}
        onStep={onStep}
        refusal={refusal}
      >
        <LayoutPanel collection={collection} look={arranged.look} onLook={arranged.change} />
      </ListTools>
      {isPast && <AsOfBar query={query} change={change} isPartial={collection.fields.length < allFields.length} />}
      {query.search !== '' && !isPast && <SearchIndexNote collection={collection} />}
    </>
  )
}

function useColumnFilters({ filter }: ListQuery, change: (part: QueryChange) => void): ListFilter {
  return useMemo(
    () => ({ text: filter, onChange: (next) => change((latest) => ({ filter: next(latest.filter) })) }),
    [filter, change],
  )
}

type ListToolsProps = {
  readonly collection: TypedCollection
  readonly view: ActiveView['view']
  readonly query: ListQuery
  readonly change: (part: QueryChange) => void
  readonly onPageSize: (perPage: PageSize) => void
  readonly onStep: SearchHits['step'] | undefined
  readonly refusal: FilterError | undefined
  readonly children: ReactNode
}

function ListTools({ collection, view, query, change, onPageSize, onStep, refusal, children }: ListToolsProps) {
  const { fields } = collection
  const tools = useRef<HTMLDivElement>(null)
  useListCommands(query, onPageSize, () => tools.current?.querySelector<HTMLElement>('[type="search"]')?.focus())
  return (
    <div ref={tools} className="records-tools" data-tour="grid-tools" role="group" aria-label={t('Display options')}>
      <div data-tour="grid-search">
        <SearchBox value={query.search} onSearch={(search) => change({ search })} {...(onStep && { onStep })} />
      </div>
      <FilterMenu
        collection={collection}
        text={query.filter}
        onChange={(filter) => change({ filter })}
        refusal={refusal}
      />
      <SortMenu
        fields={fields}
        sort={query.sort}
        onSort={(next) => change(({ sort }) => ({ sort: next(sort) }))}
        view={view}
      />
      <GroupMenu fields={fields} grouped={query} onChange={change} />
      {query.group !== null && <CollapseAll collectionId={collection.id} by={query.group} />}
      {/* Flexible space that moves the following elements to the next line. */}
      <span className="records-tools-room" />
      <div>{children}</div>
    </div>
  )
}

function useListCommands(query: ListQuery, onPageSize: ListToolsProps['onPageSize'], search: () => void): void {
  useCommand({ id: 'search-list', label: t('Search this list'), about: 'page', icon: IconSearch, run: search })
  const isWhole = query.perPage === 'all'
  useCommand({
    id: 'page-or-all',
    label: isWhole ? t('Use pagination') : t('Show all records on one page'),
    about: 'page',
    run: () => onPageSize(isWhole ? TABLE.defaultPageSize : 'all'),
  })
}

/** Stable, so that columns don't change; the input reads the filter from context. */
const renderColumnFilter = (field: Field, slot: FilterSlot): ReactNode => <LazyColumnFilter field={field} slot={slot} />

/** After a filter change, keeps selected ids but clears a query selection. */
function useSelection({ filter, search }: ListQuery) {
  const list = JSON.stringify([filter, search])
  const [held, setHeld] = useState({ list, selection: NOTHING_SELECTED })
  const selection = held.list === list ? held.selection : selectionInOtherList(held.selection)
  // A query selection isn't restored when the user returns to the previous filter.
  if (held.list !== list) setHeld({ list, selection })
  useEffect(
    () =>
      deletedRecords.subscribe((ids) =>
        setHeld((before) => ({
          ...before,
          selection: withRows(before.selection, [...ids], before.selection.mode === 'allBut'),
        })),
      ),
    [],
  )
  return [selection, (next: GridSelection) => setHeld({ list, selection: next })] as const
}

type SidePanelProps = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly opened: ReturnType<typeof useOpenRecord>
  readonly ordinal: number | undefined
  readonly total: GridTotal
  readonly isSheet: boolean
}

function SidePanel({ collection, listing, opened, ordinal, total, isSheet }: SidePanelProps) {
  const { row, open, walk, close, hrefOf } = opened
  const { RecordPanel } = useLazyModule(recordPanel, row !== undefined) ?? {}
  if (!row) return null
  if (!RecordPanel) return isSheet ? null : <PanelPlaceholder />
  const count = total.is === 'exact' ? total.count : undefined
  return (
    <RecordPanel
      collection={collection}
      recordId={row.id}
      position={ordinal === undefined ? undefined : { listing, ordinal, total: count }}
      at={listing.at}
      href={hrefOf(row.id, ordinal)}
      isSheet={isSheet}
      onGo={walk}
      onOpen={(id) => open(id, undefined)}
      onClose={close}
    />
  )
}
