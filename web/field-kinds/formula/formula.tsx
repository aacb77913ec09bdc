import { type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

export const formulaUi: FieldKindUi<'formula'> = {
  ...SHORT_VALUE,
  // `FieldCell` shows the value with the cell of its result.
  Cell: () => null,
  Input: lazyComponent(() => import('./input.tsx'), 'FormulaInput'),
  defaultOptions: { formula: '', result: 'text' },
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'FormulaOptionsForm'),
  CellEditor: null,
  columnWidthPx: 150,
  canHaveDefault: false,
  canBePreset: false,
}
