import type { CalculatedInputProps } from '#web/field-kinds/formula/input.tsx'
import { type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

const ROLLUP_UI = {
  ...SHORT_VALUE,
  // `FieldCell` shows the value with the cell of its result.
  Cell: () => null,
  Input: lazyComponent<'FormulaInput', CalculatedInputProps>(
    () => import('#web/field-kinds/formula/input.tsx'),
    'FormulaInput',
  ),
  defaultOptions: { path: [], function: 'sum', result: 'number' },
  CellEditor: null,
  columnWidthPx: 150,
  canHaveDefault: false,
  canBePreset: false,
} as const

export const lookupUi: FieldKindUi<'lookup'> = {
  ...ROLLUP_UI,
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'LookupOptionsForm'),
}
export const countUi: FieldKindUi<'count'> = {
  ...ROLLUP_UI,
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'CountOptionsForm'),
}
export const rollupUi: FieldKindUi<'rollup'> = {
  ...ROLLUP_UI,
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'RollupOptionsForm'),
}
