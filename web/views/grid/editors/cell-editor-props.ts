import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'
import type { RecordRow } from '#web/shared/cell-editing/record-row.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'

/** What an editor of a cell is told. */
export type CellEditorProps<SomeField extends Field = Field> = {
  readonly collection: TypedCollection
  readonly cells: ListEdits
  readonly field: SomeField
  readonly line: RecordRow
  readonly editor: CellEditor
}
