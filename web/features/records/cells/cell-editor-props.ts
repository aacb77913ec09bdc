import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/fields/known-field.ts'
import type { CellEditor } from '#web/kit/grid/grid-editing.ts'
import type { RecordRow } from '../record-line.ts'
import type { ListEdits } from './list-cells.ts'

/** What an editor of a cell is told. */
export type CellEditorProps<SomeField extends Field = Field> = {
  readonly collection: TypedCollection
  readonly cells: ListEdits
  readonly field: SomeField
  readonly line: RecordRow
  readonly editor: CellEditor
}
