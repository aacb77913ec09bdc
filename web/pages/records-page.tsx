import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { TABLE } from '#domain/specification.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { sessionConfig } from '#web/client/session-config.ts'
import { StarButton } from '#web/fields/favourites/star-button.tsx'
import { FilterProvider, type ListFilter } from '#web/fields/conditions/list-filter.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { useCollection } from '#web/features/collections/collection-queries.ts'
import { CollectionMenu } from '#web/features/collections/collection-menu.tsx'
import { LaterColumnFilter } from '#web/features/filters/later-column-filter.tsx'
import { FilterMenu } from '#web/features/filters/filter-menu.tsx'
import { GroupMenu } from '#web/features/filters/group-menu.tsx'
import { type AddressQuery, listSort } from '#web/features/filters/query-in-url.ts'
import { SortMenu } from '#web/features/filters/sort-menu.tsx'
import { type QueryChange, useAddressQuery } from '#web/features/filters/use-address-query.ts'
import { PanelRoom } from '#web/features/records/beside/panel-room.tsx'
import { ColumnsPanel } from '#web/features/records/columns-panel.tsx'
import type { ExportDialogProps } from '#web/features/records/export-dialog.tsx'
import type { FilterRefusal } from '#web/features/records/filter-refusal.ts'
import { FoldAll } from '#web/features/records/groups/fold-all.tsx'
import { type ListLook, useListLook } from '#web/features/records/grid-layout.ts'
import { NewRecordButton } from '#web/features/records/new-record-button.tsx'
import type { Listing } from '#web/features/records/record-list-queries.ts'
import { RecordsGrid } from '#web/features/records/records-grid.tsx'
import { SelectionActions } from '#web/features/records/selection-actions.tsx'
import { SearchIndexNote } from '#web/features/search/search-index.tsx'
import { useCommand } from '#web/kit/commands.ts'
import type { FilterSlot } from '#web/kit/grid/grid-column.ts'
import type { GridTotal } from '#web/kit/grid/paging.ts'
import { SearchBox } from '#web/kit/grid/search-box.tsx'
import { type GridSelection, NOTHING_SELECTED, selectionInOtherList } from '#web/kit/grid/selection.ts'
import { IconDownload } from '#web/kit/icons/icon-download.ts'
import { IconFolder } from '#web/kit/icons/icon-folder.ts'
import { IconSearch } from '#web/kit/icons/icon-search.ts'
import { later, useLater } from '#web/kit/later.ts'
import { plural, t } from '#web/language/t.ts'
import { ListOutOfSight, ListViews } from './list-views.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { MessageFrame } from './message-frame.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { NothingHere } from './nothing-here.tsx'
import { PageFrame } from './page-frame.tsx'
import { useOpenRecord } from './use-open-record.ts'
import { type InForce, ViewGate } from './view-gate.tsx'
import './records-page.css'

const recordPanel = later(() => import('#web/features/records/beside/record-panel.tsx'))
const exporting = later(() => import('#web/features/records/export-dialog.tsx'))

/** The records of a collection: what is shown stands in the address. */
export function RecordsPage() {
  const { collection: name = '' } = useParams({ strict: false })
  const { collection, error, retry } = useCollection(name)
  const seen = useSeen(collection)
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
        const Shown = isOutOfSight ? ListOutOfSight : CollectionRecords
        return <Shown collection={collection} inForce={inForce} />
      }}
    </ViewGate>
  )
}

/** The name of the collection that was here last. */
function useSeen(collection: KnownCollection | null | undefined): string | undefined {
  const [seen, setSeen] = useState<string>()
  if (collection && collection.label !== seen) setSeen(collection.label)
  return seen
}

/** What is said to whoever looked at a collection while it went. */
function CollectionGone({ label }: { readonly label: string }) {
  usePageTitle(label)
  return (
    <MessageFrame
      icon={IconFolder}
      title={t('“{label}” is gone', { label })}
      actions={
        <Button component={Link} to={sessionConfig.routes.home} variant="filled">
          {t('Go home')}
        </Button>
      }
    >
      {t('It was deleted meanwhile, or you may not see it any more.')}
    </MessageFrame>
  )
}

type CollectionRecordsProps = { readonly collection: KnownCollection; readonly inForce: InForce }

function CollectionRecords({ collection, inForce }: CollectionRecordsProps) {
  usePageTitle(inForce.view?.name ?? collection.label)
  const { query, change } = useAddressQuery(collection.name, inForce.base)
  const arranged = useListLook(collection.id, inForce.look)
  const { look, change: changeLook } = arranged
  const [selection, setSelection] = useSelection(query)
  const opened = useOpenRecord(collection, query, inForce.base)
  const created = (record: RecordBody) => opened.open(record.id, undefined)
  const listing = useMemo(() => ({ filter: query.filter, search: query.search, sort: listSort(query) }), [query])
  const columnFilters = useMemo<ListFilter>(
    () => ({ text: query.filter, onChange: (next) => change((latest) => ({ filter: next(latest.filter) })) }),
    [query.filter, change],
  )
  return (
    <FilterProvider filter={columnFilters}>
      <RecordsGrid
        collection={collection}
        listing={listing}
        sort={query.sort}
        onSort={(sort) => change({ sort })}
        group={query.group}
        onGroup={(group) => change({ group })}
        page={query.page}
        perPage={query.perPage}
        onPage={(page, perPage) => change({ page, perPage })}
        look={look}
        onLook={changeLook}
        renderFilter={renderColumnFilter}
        selection={selection}
        onSelection={setSelection}
        onOpen={({ record, ordinal }) => opened.open(record.id, ordinal)}
        onClear={(refused) => change(refused === 'filter' ? { filter: '' } : { sort: [], group: null })}
        hrefOf={({ record, ordinal }) => opened.hrefOf(record.id, ordinal)}
        empty={<NothingHere collection={collection} query={query} change={change} onCreated={created} />}
        open={opened.row}
        renderBeside={(beside) => <Beside collection={collection} listing={listing} opened={opened} {...beside} />}
        renderAbove={(total, refusal) => (
          <>
            <PageHead collection={collection} total={total} onCreated={created} listing={listing} look={look} />
            <ListViews collection={collection} inForce={inForce} query={query} arranged={arranged} />
            <ListTools collection={collection} query={query} change={change} refusal={refusal}>
              <ColumnsPanel collection={collection} look={look} onLook={changeLook} />
            </ListTools>
            {query.search !== '' && <SearchIndexNote collection={collection} />}
            <SelectionActions
              collection={collection}
              listing={listing}
              look={look}
              selection={selection}
              total={total}
              onSelection={setSelection}
            />
          </>
        )}
      />
    </FilterProvider>
  )
}

/** Its own component, so that the page does not grow by a dialog that is hardly ever asked for. */
function Exporting(props: ExportDialogProps) {
  const { ExportDialog } = useLater(exporting, true) ?? {}
  return ExportDialog ? <ExportDialog {...props} /> : null
}

type ListToolsProps = {
  readonly collection: KnownCollection
  readonly query: AddressQuery
  readonly change: (part: QueryChange) => void
  readonly refusal: FilterRefusal | undefined
  readonly children: ReactNode
}

/** The tools that say which records are shown and how. */
function ListTools({ collection, query, change, refusal, children }: ListToolsProps) {
  const { fields } = collection
  const tools = useRef<HTMLDivElement>(null)
  useListCommands(query, change, () => tools.current?.querySelector<HTMLElement>('[type="search"]')?.focus())
  return (
    <div ref={tools} className="records-tools" data-tour="grid-tools" role="group" aria-label={t('What is shown')}>
      <div data-tour="grid-search">
        <SearchBox value={query.search} onSearch={(search) => change({ search })} />
      </div>
      <FilterMenu
        collection={collection}
        text={query.filter}
        onChange={(filter) => change({ filter })}
        refusal={refusal}
      />
      <SortMenu fields={fields} sort={query.sort} onSort={(next) => change(({ sort }) => ({ sort: next(sort) }))} />
      <GroupMenu fields={fields} grouped={query} onChange={change} />
      {query.group !== null && <FoldAll collectionId={collection.id} by={query.group} />}
      {/* Takes the room of its line: what has no place on that begins the next one. */}
      <span className="records-tools-room" />
      <div>{children}</div>
    </div>
  )
}

/** What the palette and the keys do with a list besides opening its tools. */
function useListCommands(query: AddressQuery, change: ListToolsProps['change'], search: () => void): void {
  useCommand({ id: 'search-list', label: t('Search this list'), about: 'page', icon: IconSearch, run: search })
  const isWhole = query.perPage === 'all'
  useCommand({
    id: 'page-or-all',
    label: isWhole ? t('Show this list page by page') : t('Show all records in one scroll'),
    about: 'page',
    run: () => change({ page: 1, perPage: isWhole ? TABLE.defaultPageSize : 'all' }),
  })
}

/** Stable, so that the columns are: the input itself asks for the filter around it. */
const renderColumnFilter = (field: Field, slot: FilterSlot): ReactNode => (
  <LaterColumnFilter field={field} slot={slot} />
)

/** What is selected. Records picked one by one stay so in another list; “all matching” would mean others there. */
function useSelection({ filter, search }: AddressQuery) {
  const list = JSON.stringify([filter, search])
  const [held, setHeld] = useState({ list, selection: NOTHING_SELECTED })
  const selection = held.list === list ? held.selection : selectionInOtherList(held.selection)
  // “All matching” is let go for good, also when the former filter comes back.
  if (held.list !== list) setHeld({ list, selection })
  return [selection, (next: GridSelection) => setHeld({ list, selection: next })] as const
}

type BesideProps = {
  readonly collection: KnownCollection
  readonly listing: Listing
  readonly opened: ReturnType<typeof useOpenRecord>
  readonly ordinal: number | undefined
  readonly total: GridTotal
  readonly isSheet: boolean
}

/** The record that is open beside the list. */
function Beside({ collection, listing, opened, ordinal, total, isSheet }: BesideProps) {
  const { row, open, walk, close, hrefOf } = opened
  const { RecordPanel } = useLater(recordPanel, row !== undefined) ?? {}
  if (!row) return null
  if (!RecordPanel) return isSheet ? null : <PanelRoom />
  const count = total.is === 'exact' ? total.count : undefined
  return (
    <RecordPanel
      collection={collection}
      recordId={row.id}
      position={ordinal === undefined ? undefined : { listing, ordinal, total: count }}
      href={hrefOf(row.id, ordinal)}
      isSheet={isSheet}
      onGo={walk}
      onOpen={(id) => open(id, undefined)}
      onClose={close}
    />
  )
}

type PageHeadProps = {
  readonly collection: KnownCollection
  readonly total: GridTotal
  readonly onCreated: (record: RecordBody) => void
  readonly listing: Listing
  readonly look: ListLook
}

function PageHead({ collection, total, onCreated, listing, look }: PageHeadProps) {
  const [isExporting, setExporting] = useState(false)
  useCommand(
    collection.can.includes('records:export')
      ? { id: 'export', label: t('Export this list'), about: 'page', icon: IconDownload, run: () => setExporting(true) }
      : undefined,
  )
  return (
    <header className="records-head">
      <h1>{collection.label}</h1>
      <span className="records-count">
        {total.is !== 'unknown' && plural(total.count, '{n} record', '{n} records')}
      </span>
      <div className="records-actions">
        <StarButton target={{ collection: collection.id }} name={collection.label} />
        <CollectionMenu collection={collection} onExport={() => setExporting(true)} />
        {collection.can.includes('records:create') && <NewRecordButton collection={collection} onCreated={onCreated} />}
      </div>
      {isExporting && (
        <Exporting collection={collection} listing={listing} look={look} onClose={() => setExporting(false)} />
      )}
    </header>
  )
}
