import type { TextOptions } from '#domain/fields/field.ts'
import { type CellProps, type FieldKindUi, type OptionsFormProps, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { Highlighted, HighlightedLine } from '#web/field-kinds/value-highlights.tsx'
import { type LazyComponent, lazyComponent } from '#web/ui/loading/lazy-module.tsx'

function TextCell({ value }: CellProps<'text'>) {
  return value === null ? null : <Highlighted text={value} />
}

/** Options shared by all plain-text kinds. */
export const TextOptionsForm: LazyComponent<OptionsFormProps<TextOptions>> = lazyComponent(
  () => import('./options.tsx'),
  'TextOptionsForm',
)

export const textUi: FieldKindUi<'text'> = {
  ...SHORT_VALUE,
  Cell: TextCell,
  Input: lazyComponent(() => import('./input.tsx'), 'TextInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'TextCellEditor'),
  columnWidthPx: 180,
}

function LongTextCell({ value }: CellProps<'long-text'>) {
  return value === null ? null : <HighlightedLine text={value} />
}

export const longTextUi: FieldKindUi<'long-text'> = {
  ...SHORT_VALUE,
  Cell: LongTextCell,
  Input: lazyComponent(() => import('./input.tsx'), 'LongTextInput'),
  defaultOptions: {},
  OptionsForm: TextOptionsForm,
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'LongTextCellEditor'),
  columnWidthPx: 240,
  isWide: true,
}
