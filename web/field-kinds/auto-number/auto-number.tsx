import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

/** An identifier: no separators between its digits. */
function AutoNumberCell({ value }: CellProps<'auto-number'>) {
  return value === null ? null : <Highlighted text={String(value)} />
}

export const autoNumberUi: FieldKindUi<'auto-number'> = {
  ...SHORT_VALUE,
  Cell: AutoNumberCell,
  Input: lazyComponent(() => import('./input.tsx'), 'AutoNumberInput'),
  defaultOptions: {},
  CellEditor: null,
  columnWidthPx: 100,
  align: 'end',
  canHaveDefault: false,
  canBePreset: false,
}
