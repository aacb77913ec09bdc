import type { Field } from '#domain/fields/field.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import type { CellEditor } from '#web/kit/grid/grid-editing.ts'
import type { RecordLine } from '../record-line.ts'
import type { ListCells } from './list-cells.ts'

/** What an editor of a cell is told. */
export type CellEditorProps<SomeField extends Field = Field> = {
  readonly collection: KnownCollection
  readonly cells: ListCells
  readonly field: SomeField
  readonly line: RecordLine
  readonly editor: CellEditor
}
