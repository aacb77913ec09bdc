import type { ComponentType } from 'react'
import { type Field, FIELD_KINDS } from '#domain/fields/field.ts'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { FIELD_KIND_UI } from '#web/field-kinds/field-kinds.ts'
import { groupOf } from '#web/field-kinds/files/cell.tsx'
import { openFilePreview } from '#web/shared/files/visible-files.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { cellText, toClientValue } from '#web/shared/fields/client-value.ts'
import type { GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { LOCALE } from '#web/i18n/locale.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { cellActions, type ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import { hasEditor, isEditable, isWritable } from '#web/shared/fields/editable-cells.ts'

/** The cell editors of all kinds, loaded together when the list is idle. */
const editors = lazyModule(() => Promise.all(FIELD_KINDS.map(async (kind) => FIELD_KIND_UI[kind].CellEditor?.load())))

export type CellParts = Pick<
  GridColumn<RecordRow>,
  'textOf' | 'renderEditor' | 'breaksLines' | 'isEditable' | 'onToggle' | 'onPreview' | 'takesFiles' | 'faultOf'
>

/** Stable between renders. */
export type CellPartsOf = (field: Field) => CellParts

const DECIMAL = new Intl.NumberFormat(LOCALE).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

export const cellPartsOf =
  (collection: TypedCollection, cells: ListEdits): CellPartsOf =>
  (field) => {
    const mayEdit = ({ record }: RecordRow) => isEditable(collection, field, record)
    return {
      textOf: ({ record }) => cellText(field, record.values[field.name], DECIMAL),
      faultOf: ({ faults }) => faults?.[field.name]?.message,
      isEditable: mayEdit,
      breaksLines: field.kind === 'long-text',
      ...(hasEditor(collection, field) && {
        renderEditor: (line: RecordRow, editor: CellEditor) => (
          <CellEditorSlot collection={collection} cells={cells} field={field} line={line} editor={editor} />
        ),
      }),
      ...(field.kind === 'checkbox' && {
        onToggle: (line: RecordRow) => {
          if (isWritable(collection, field, line.record))
            cells.withGridActions((gridActions) =>
              gridActions.edit(line, field, line.record.values[field.name] !== true),
            )
        },
      }),
      ...(field.kind === 'files' && {
        takesFiles: mayEdit,
        onPreview: ({ record }: RecordRow) => openFirstFile(field, record),
      }),
    }
  }

function openFirstFile(field: Field, { values }: RecordRow['record']): boolean {
  const files = toClientValue('files', values[field.name])
  const [first] = files
  if (first) openFilePreview(first.id, groupOf(field, files))
  return first !== undefined
}

/** Until the editor is loaded, the grid keeps what is typed. */
function CellEditorSlot(props: CellEditorProps) {
  // The registry pairs each kind with its own editor, which the compiler can't follow through an index by a union.
  const CellEditor = FIELD_KIND_UI[props.field.kind].CellEditor as ComponentType<CellEditorProps> | null
  const areLoaded = useLazyModule(editors, true) !== undefined
  const actions = useLazyModule(cellActions, true)
  return CellEditor && areLoaded && actions ? <CellEditor {...props} /> : null
}

export const usePreloadEditors = (): void => void useLazyModule(editors, false)
