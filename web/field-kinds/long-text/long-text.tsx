import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { TextOptionsForm } from '#web/field-kinds/text/text.tsx'
import { HighlightedLine } from '#web/field-kinds/value-highlights.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

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
