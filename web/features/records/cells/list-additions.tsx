import type { KnownCollection } from '#web/fields/known-field.ts'
import { type GridSource, spanOf } from '#web/kit/grid/grid-source.ts'
import { later, useLater } from '#web/kit/later.ts'
import { NewRecordButton } from '../new-record-button.tsx'
import type { RecordLine } from '../record-line.ts'
import { useDeleteRecords } from '../use-delete-records.ts'
import type { ListEditing } from './use-list-cells.ts'
import './list-additions.css'

/** What a list asks and offers while one edits in it. */
const dialogs = later(async () => {
  const [{ PasteBeyond }, { RecordCellMenu }] = await Promise.all([
    import('./paste-beyond.tsx'),
    import('./cell-menu.tsx'),
  ])
  return { PasteBeyond, RecordCellMenu }
})

const filesChoice = later(() => import('../drops/files-choice.tsx'))

type ListAdditionsProps = {
  readonly collection: KnownCollection
  readonly editing: ListEditing
  readonly source: GridSource<RecordLine>
  readonly onOpen: (line: RecordLine) => void
}

/** The line for a new record at the end of a list, and what floats above it for a moment. */
export function ListAdditions({ collection, editing, source, onOpen }: ListAdditionsProps) {
  const { asking, menu, cells, filesFor } = editing
  const { FilesChoice } = useLater(filesChoice, filesFor !== undefined) ?? {}
  const { PasteBeyond, RecordCellMenu } = useLater(dialogs, asking !== undefined || menu !== undefined) ?? {}
  const deleteRecords = useDeleteRecords(collection.name)
  return (
    <>
      {spanOf(source).end > spanOf(source).first && collection.can.includes('records:create') && (
        <div className="new-record-line">
          <NewRecordButton collection={collection} look="line" onCreated={editing.onMade} />
        </div>
      )}
      {PasteBeyond && asking && <PasteBeyond paste={asking} onAnswer={editing.answer} />}
      {FilesChoice && filesFor && <FilesChoice asking={filesFor} onClose={editing.closeFilesFor} />}
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
