import type { TypedCollection } from '#web/fields/known-field.ts'
import { type GridSource, spanOf } from '#web/kit/grid/grid-source.ts'
import { lazyModule, useLazyModule } from '#web/kit/later.ts'
import { NewRecordButton } from '../new-record-button.tsx'
import type { RecordRow } from '../record-line.ts'
import { useDeleteRecords } from '../use-delete-records.ts'
import type { ListEditing } from './use-list-cells.ts'
import './list-additions.css'

/** What a list asks and offers while one edits in it. */
const dialogs = lazyModule(async () => {
  const [{ PasteOverflowDialog }, { RecordCellMenu }] = await Promise.all([
    import('./paste-beyond.tsx'),
    import('./cell-menu.tsx'),
  ])
  return { PasteBeyond: PasteOverflowDialog, RecordCellMenu }
})

const chooseFileField = lazyModule(() => import('../drops/files-choice.tsx'))

type ListExtrasProps = {
  readonly collection: TypedCollection
  readonly editing: ListEditing
  readonly source: GridSource<RecordRow>
  readonly onOpen: (line: RecordRow) => void
}

/** The line for a new record at the end of a list, and what floats above it for a moment. */
export function ListExtras({ collection, editing, source, onOpen }: ListExtrasProps) {
  const { asking, menu, cells, filesFor } = editing
  const { ChooseFileField } = useLazyModule(chooseFileField, filesFor !== undefined) ?? {}
  const { PasteBeyond, RecordCellMenu } = useLazyModule(dialogs, asking !== undefined || menu !== undefined) ?? {}
  const deleteRecords = useDeleteRecords(collection.name)
  return (
    <>
      {spanOf(source).end > spanOf(source).first && collection.can.includes('records:create') && (
        <div className="new-record-line">
          <NewRecordButton collection={collection} look="line" onCreated={editing.onMade} />
        </div>
      )}
      {PasteBeyond && asking && <PasteBeyond paste={asking} onAnswer={editing.answer} />}
      {ChooseFileField && filesFor && <ChooseFileField asking={filesFor} onClose={editing.closeFilesFor} />}
      {RecordCellMenu && menu && (
        <RecordCellMenu
          menu={menu}
          collection={collection}
          cells={cells}
          onOpen={onOpen}
          onDelete={(lines) => void deleteRecords({ ids: lines.map(({ record }) => record.id) })}
          onClose={editing.closeMenu}
        />
      )}
    </>
  )
}
