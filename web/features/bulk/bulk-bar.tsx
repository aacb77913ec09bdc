import { Button } from '@mantine/core'
import { useState } from 'react'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridTotal } from '#web/ui/grid/grid-props.ts'
import { SelectionBar } from '#web/ui/grid/selection/selection-bar.tsx'
import { type GridSelection, NOTHING_SELECTED } from '#web/ui/grid/selection/selection.ts'
import { IconDownload, IconPencil } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import { keepPreviousPage, type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import { bulkFields } from './edit/bulk-fields.ts'
import { DeleteSelected } from './delete-selected.tsx'
import { ChangeStatus } from './change-status.tsx'
import { isTooManySelected, type SelectedRecords } from '#web/shared/bulk-operations/selected-records.ts'
import { MAX_SHOWN_IDS, useShowRecords } from '#web/shared/bulk-operations/show-records.ts'
import { useQuery } from '@tanstack/react-query'
import { countBulk } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'

let numbered = 0
const numbers = new WeakMap<ReadonlySet<string>, number>()

/** Identifies a set of ids without comparing thousands of them. */
function numberOf(ids: ReadonlySet<string>): number {
  const number = numbers.get(ids) ?? (numbered += 1)
  numbers.set(ids, number)
  return number
}

/** How many selected records the list's filter hides; 0 while unknown. */
function useOutOfView(
  collection: string,
  { listing, selection }: Pick<SelectedRecords, 'listing' | 'selection'>,
): number {
  const { filter, search } = listing
  const isNarrowed = filter !== '' || search.trim() !== ''
  const { ids, mode } = selection
  const isSeen = useUser()?.view_as?.is_on === true
  const { data } = useQuery({
    queryKey: queryKeys.recordList(collection, { filter, search, selected: numberOf(ids) }),
    queryFn: async ({ signal }) => {
      const where = { ...listingParams({ filter, search, sort: '' }), only: [...ids] }
      const { count } = await call(countBulk, { params: { collection }, body: { where }, signal })
      return { outOfView: Math.max(0, ids.size - count) }
    },
    placeholderData: keepPreviousPage(collection),
    // While impersonating, only GET requests are sent.
    enabled: !isSeen && mode === 'these' && ids.size > 0 && isNarrowed && !isTooManySelected({ selection }),
  })
  return mode === 'these' && isNarrowed ? Math.min(ids.size, data?.outOfView ?? 0) : 0
}

export type BulkBarProps = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly look: ListSettings
  readonly selection: GridSelection
  readonly total: GridTotal
  readonly onSelection: (selection: GridSelection) => void
}

const editing = lazyModule(() => import('./edit/edit-dialog.tsx'))
const exporting = lazyModule(() => import('./export/export-dialog.tsx'))

export function BulkBar(props: BulkBarProps) {
  const { collection, listing, selection, total, onSelection } = props
  const outOfView = useOutOfView(collection.name, { listing, selection })
  const showRecords = useShowRecords()
  const picked = { listing, selection, total: total.is === 'exact' ? total.count : undefined }
  return (
    <SelectionBar
      selection={selection}
      total={total}
      outOfView={outOfView}
      onShowSelected={
        selection.ids.size <= MAX_SHOWN_IDS ? () => showRecords(collection.name, [...selection.ids]) : undefined
      }
      onSelection={onSelection}
    >
      {isTooManySelected(picked) ? (
        <span className="bulk-too-many">
          {t('You can select up to 10,000 records individually, or select all matching.')}
        </span>
      ) : (
        <BulkActions
          {...props}
          picked={picked}
          outOfView={outOfView}
          onDone={() => leave(picked, onSelection)}
          key={collection.id}
        />
      )}
    </SelectionBar>
  )
}

/** Selected ids stay selected; a query could match other records by now. */
function leave({ selection }: SelectedRecords, onSelection: (selection: GridSelection) => void): void {
  if (selection.mode === 'allBut') onSelection(NOTHING_SELECTED)
}

type BulkActionsProps = BulkBarProps & {
  readonly picked: SelectedRecords
  readonly outOfView: number
  readonly onDone: () => void
}

function BulkActions({ collection, look, listing, picked, outOfView, onSelection, onDone }: BulkActionsProps) {
  const [open, setOpen] = useState<'edit' | 'export'>()
  const { EditDialog } = useLazyModule(editing, open === 'edit') ?? {}
  const { ExportDialog } = useLazyModule(exporting, open === 'export') ?? {}
  const { can } = collection
  const close = () => setOpen(undefined)
  return (
    <>
      {can.includes('records:update') && bulkFields(collection).length > 0 && (
        <Button size="xs" leftSection={<IconPencil size={14} stroke={1.75} />} onClick={() => setOpen('edit')}>
          {t('Edit')}
        </Button>
      )}
      {can.includes('records:transition') && <ChangeStatus collection={collection} picked={picked} onDone={onDone} />}
      {can.includes('records:export') && (
        <Button size="xs" leftSection={<IconDownload size={14} stroke={1.75} />} onClick={() => setOpen('export')}>
          {t('Export')}
        </Button>
      )}
      {can.includes('records:delete') && (
        <DeleteSelected
          collection={collection}
          picked={picked}
          outOfView={outOfView}
          onGone={() => onSelection(NOTHING_SELECTED)}
        />
      )}
      {open === 'edit' && EditDialog && (
        <EditDialog collection={collection} picked={picked} outOfView={outOfView} onClose={close} onDone={onDone} />
      )}
      {open === 'export' && ExportDialog && (
        <ExportDialog collection={collection} listing={listing} look={look} picked={picked} onClose={close} />
      )}
    </>
  )
}
