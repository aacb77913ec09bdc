import type { ComponentType, ReactNode } from 'react'
import { canSortBy, type Field, FIELD_KINDS } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { PERSON_FIELDS } from '#domain/fields/system-fields.ts'
import { FieldCell } from '#web/field-kinds/field-cell.tsx'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { FIELD_KIND_UI, uiOf } from '#web/field-kinds/field-kinds.ts'
import { groupOf } from '#web/field-kinds/files/files.tsx'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { cellActions, type ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import { cellText, isEmptyClientValue, toClientValue } from '#web/shared/fields/client-value.ts'
import { hasEditor, isEditable, isWritable } from '#web/shared/fields/editable-cells.ts'
import { personIn, UNTITLED } from '#web/shared/fields/record-title.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { openFilePreview } from '#web/shared/files/visible-files.ts'
import { formatInstant } from '#web/shared/formatting/format-value.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'
import type { FilterSlot, GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { columnFields } from './column-fields.ts'
import { describeHiddenHits } from '#web/views/listing/list-notices.tsx'

/** The cell editors of all kinds, loaded together while the list is idle. */
const editors = lazyModule(() => Promise.all(FIELD_KINDS.map(async (kind) => FIELD_KIND_UI[kind].CellEditor?.load())))

export type CellParts = Pick<
  GridColumn<RecordRow>,
  'textOf' | 'renderEditor' | 'breaksLines' | 'isEditable' | 'onToggle' | 'onPreview' | 'takesFiles' | 'faultOf'
>

/** Must be stable between renders. */
export type CellPartsOf = (field: Field) => CellParts

export const cellPartsOf =
  (collection: TypedCollection, cells: ListEdits): CellPartsOf =>
  (field) => {
    const mayEdit = ({ record }: RecordRow) => isEditable(collection, field, record)
    return {
      textOf: ({ record }) => cellText(field, record.values[field.name], LOCAL_FORMAT.decimal),
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

/** The grid buffers typed text until the editor is loaded. */
function CellEditorSlot(props: CellEditorProps) {
  // The registry maps each kind to its own editor, but TypeScript can't correlate the two when indexing by a union.
  const CellEditor = FIELD_KIND_UI[props.field.kind].CellEditor as ComponentType<CellEditorProps> | null
  const areLoaded = useLazyModule(editors, true) !== undefined
  const actions = useLazyModule(cellActions, true)
  return CellEditor && areLoaded && actions ? <CellEditor {...props} /> : null
}

export const usePreloadEditors = (): void => void useLazyModule(editors, false)

export type RenderFilter = (field: Field, slot: FilterSlot) => ReactNode

const TITLE_WIDTH_PX = 280

export function recordColumns(
  collection: TypedCollection,
  renderFilter: RenderFilter | undefined,
  /** Matches in hidden columns are shown next to the title. */
  hidden: readonly string[] = NONE,
  partsOf: CellPartsOf = NO_PARTS,
): readonly GridColumn<RecordRow>[] {
  const [title, ...others] = columnFields(collection)
  return [
    ...(title ? [{ ...titleColumn(title, renderFilter, hiddenFields(others, hidden)), ...partsOf(title) }] : []),
    ...others.map((field) => ({ ...fieldColumn(field, renderFilter), ...partsOf(field) })),
    timeColumn('createdAt', t('Created'), renderFilter),
    timeColumn('updatedAt', t('Updated'), renderFilter),
    ...PERSON_FIELDS.flatMap((name) => personColumn(name, renderFilter)),
  ]
}

/** Columns with a note in the header of those whose values aren't current. */
export function withRecalculating(
  columns: readonly GridColumn<RecordRow>[],
  recalculating: readonly Field[],
): readonly GridColumn<RecordRow>[] {
  if (recalculating.length === 0) return columns
  const ids = new Set(recalculating.map(({ id }) => id))
  return columns.map((column) => (ids.has(column.id) ? { ...column, status: t('Being recalculated') } : column))
}

/** Ignores inherited properties, which may have the same name as a field. */
const highlightsIn = ({ marks }: RecordRow['record'], { name }: Field) =>
  marks !== undefined && Object.hasOwn(marks, name) ? marks[name] : undefined

function fieldColumn(field: Field, renderFilter: RenderFilter | undefined): GridColumn<RecordRow> {
  return {
    id: field.id,
    header: field.label,
    ...(field.description !== undefined && { description: field.description }),
    isRenamable: true,
    widthPx: uiOf(valueField(field)).columnWidthPx,
    align: uiOf(valueField(field)).align,
    isSortable: canSortBy(field),
    renderCell: ({ record }) => (
      <FieldCell field={field} value={record.values[field.name]} marks={highlightsIn(record, field)} />
    ),
    ...(renderFilter && { renderFilter: (slot) => renderFilter(field, slot) }),
  }
}

const NONE: readonly string[] = []

const NO_PARTS: CellPartsOf = () => ({})

const hiddenFields = (fields: readonly Field[], hidden: readonly string[]): readonly Field[] =>
  fields.filter(({ id }) => hidden.includes(id))

function titleColumn(
  field: Field,
  renderFilter: RenderFilter | undefined,
  hidden: readonly Field[],
): GridColumn<RecordRow> {
  return {
    ...fieldColumn(field, renderFilter),
    widthPx: TITLE_WIDTH_PX,
    align: 'start',
    isTitle: true,
    renderCell: ({ record, ordinal }) => {
      const value = record.values[field.name]
      const shown = isEmptyClientValue(field.kind, value) ? (
        <span className="record-untitled">{UNTITLED}</span>
      ) : (
        <FieldCell field={field} value={value} marks={highlightsIn(record, field)} />
      )
      // The first record is highlighted in the welcome tour.
      const named = ordinal === 0 ? <span data-tour="grid-row">{shown}</span> : shown
      const elsewhere = hidden.filter((each) => highlightsIn(record, each) !== undefined)
      return elsewhere.length === 0 ? named : <FoundElsewhere fields={elsewhere}>{named}</FoundElsewhere>
    },
  }
}

function FoundElsewhere({ fields, children }: { readonly fields: readonly Field[]; readonly children: ReactNode }) {
  return (
    <span className="record-found">
      <span className="record-found-title">{children}</span>
      <span className="record-found-in">{describeHiddenHits(fields.map(({ label }) => label))}</span>
    </span>
  )
}

function timeColumn(
  name: 'createdAt' | 'updatedAt',
  header: string,
  renderFilter: RenderFilter | undefined,
): GridColumn<RecordRow> {
  const field = RECORD_FIELDS.find((every) => every.name === name)
  return {
    id: name,
    header,
    widthPx: FIELD_KIND_UI['date-time'].columnWidthPx,
    isSortable: true,
    textOf: ({ record }) => record[name],
    renderCell: ({ record }) => <time dateTime={record[name]}>{formatInstant(record[name])}</time>,
    ...(field && renderFilter && { renderFilter: (slot) => renderFilter(field, slot) }),
  }
}

function personColumn(
  name: (typeof PERSON_FIELDS)[number],
  renderFilter: RenderFilter | undefined,
): readonly GridColumn<RecordRow>[] {
  const field = RECORD_FIELDS.find((every) => every.name === name)
  if (!field) return []
  return [
    {
      id: name,
      header: field.label,
      widthPx: FIELD_KIND_UI.user.columnWidthPx,
      isSortable: true,
      textOf: ({ record }) => personIn(record, name)?.name ?? '',
      renderCell: ({ record }) => <FieldCell field={field} value={personIn(record, name)} />,
      ...(renderFilter && { renderFilter: (slot) => renderFilter(field, slot) }),
    },
  ]
}

export const fieldNameOf = (collection: TypedCollection, columnId: string): string =>
  collection.fields.find(({ id }) => id === columnId)?.name ?? columnId

export const columnIdOf = (collection: TypedCollection, fieldName: string): string =>
  collection.fields.find(({ name }) => name === fieldName)?.id ?? fieldName
