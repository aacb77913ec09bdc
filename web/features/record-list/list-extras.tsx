import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type GridSource, spanOf } from '#web/ui/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { NewRecordButton } from './new-record/new-record-button.tsx'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { useDeleteRecords } from '#web/shared/bulk-operations/delete-records.ts'
import type { ListEditing } from './use-list-editing.ts'
import './list-extras.css'

const popups = lazyModule(() => import('./list-popups.tsx'))

type ListExtrasProps = {
  readonly collection: TypedCollection
  readonly editing: ListEditing
  readonly source: GridSource<RecordRow>
  readonly onOpen: (line: RecordRow) => void
  /** Names of the group fields, separated by commas. */
  readonly group: string | null
  readonly onCreate: (values: { readonly [field: string]: unknown }) => void
}

export function ListExtras({ collection, editing, source, onOpen, group, onCreate }: ListExtrasProps) {
  const { asking, menu, cells, filesFor } = editing
  const isPopupDue = [asking, menu, filesFor].some((popup) => popup !== undefined)
  const { ChooseFileField, PasteOverflowDialog, RecordCellMenu } = useLazyModule(popups, isPopupDue) ?? {}
  const deleteRecords = useDeleteRecords(collection.name)
  return (
    <>
      {spanOf(source).end > spanOf(source).first && collection.can.includes('records:create') && (
        <div className="new-record-line">
          <NewRecordButton collection={collection} look="line" onCreated={editing.onMade} />
        </div>
      )}
      {PasteOverflowDialog && asking && <PasteOverflowDialog paste={asking} onAnswer={editing.answer} />}
      {ChooseFileField && filesFor && <ChooseFileField asking={filesFor} onClose={editing.closeFilesFor} />}
      {RecordCellMenu && menu && (
        <RecordCellMenu
          menu={menu}
          collection={collection}
          cells={cells}
          onOpen={onOpen}
          group={group}
          onCreate={onCreate}
          onDelete={(lines) => void deleteRecords({ ids: lines.map(({ record }) => record.id) })}
          onClose={editing.closeMenu}
        />
      )}
    </>
  )
}
