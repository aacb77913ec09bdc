import { Button } from '@mantine/core'
import { useState } from 'react'
import type { KnownCollection } from '#web/fields/known-field.ts'
import type { GridTotal } from '#web/kit/grid/paging.ts'
import { SelectionBar } from '#web/kit/grid/selection-bar.tsx'
import { type GridSelection, NOTHING_SELECTED } from '#web/kit/grid/selection.ts'
import { IconDownload } from '#web/kit/icons/icon-download.ts'
import { IconPencil } from '#web/kit/icons/icon-pencil.ts'
import { later, useLater } from '#web/kit/later.ts'
import { t } from '#web/language/t.ts'
import type { ListLook } from '../grid-layout.ts'
import type { Listing } from '../record-list-queries.ts'
import { bulkFields } from './bulk-fields.ts'
import { DeletePicked } from './delete-picked.tsx'
import { MovePicked } from './move-picked.tsx'
import { isTooMany, type Picked } from './picked.ts'
import { MOST_SHOWN, useShowRecords } from './shown-records.ts'
import { useOutOfView } from './use-out-of-view.ts'

/** A list, what is selected in it, and how it is shown. */
export type BulkBarProps = {
  readonly collection: KnownCollection
  readonly listing: Listing
  readonly look: ListLook
  readonly selection: GridSelection
  readonly total: GridTotal
  readonly onSelection: (selection: GridSelection) => void
}

const editing = later(() => import('./edit-dialog.tsx'))
const exporting = later(() => import('../export-dialog.tsx'))

/** What is selected, and what can be done with it. What somebody may not is not offered. */
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
        selection.ids.size <= MOST_SHOWN ? () => showRecords(collection.name, [...selection.ids]) : undefined
      }
      onSelection={onSelection}
    >
      {isTooMany(picked) ? (
        <span className="bulk-too-many">{t('Pick at most 10,000 one by one, or select all matching.')}</span>
      ) : (
        <Deeds
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

/** Picked records stay picked for the next deed; what matches may be others by now. */
function leave({ selection }: Picked, onSelection: (selection: GridSelection) => void): void {
  if (selection.mode === 'allBut') onSelection(NOTHING_SELECTED)
}

type DeedsProps = BulkBarProps & { readonly picked: Picked; readonly outOfView: number; readonly onDone: () => void }

function Deeds({ collection, look, listing, picked, outOfView, onSelection, onDone }: DeedsProps) {
  const [open, setOpen] = useState<'edit' | 'export'>()
  const { EditDialog } = useLater(editing, open === 'edit') ?? {}
  const { ExportDialog } = useLater(exporting, open === 'export') ?? {}
  const { can } = collection
  const close = () => setOpen(undefined)
  return (
    <>
      {can.includes('records:update') && bulkFields(collection).length > 0 && (
        <Button size="xs" leftSection={<IconPencil size={14} stroke={1.75} />} onClick={() => setOpen('edit')}>
          {t('Edit')}
        </Button>
      )}
      {can.includes('records:transition') && <MovePicked collection={collection} picked={picked} onDone={onDone} />}
      {can.includes('records:export') && (
        <Button size="xs" leftSection={<IconDownload size={14} stroke={1.75} />} onClick={() => setOpen('export')}>
          {t('Export')}
        </Button>
      )}
      {can.includes('records:delete') && (
        <DeletePicked
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
