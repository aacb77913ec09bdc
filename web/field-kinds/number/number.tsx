import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { formatNumber } from '#web/shared/formatting/format-value.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

function NumberCell({ value }: CellProps<'number'>) {
  return value === null ? null : formatNumber(value)
}

export const numberUi: FieldKindUi<'number'> = {
  ...SHORT_VALUE,
  Cell: NumberCell,
  Input: lazyComponent(() => import('./input.tsx'), 'NumberInput'),
  defaultOptions: {},
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'NumberOptionsForm'),
  CellEditor: lazyComponent(() => import('#web/field-kinds/cell-editors/text-editor.tsx'), 'NumberCellEditor'),
  columnWidthPx: 120,
  align: 'end',
}
