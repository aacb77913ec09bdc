import { type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { SelectCell } from '#web/field-kinds/select/select.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'

export const stateUi: FieldKindUi<'state'> = {
  ...SHORT_VALUE,
  Cell: SelectCell,
  Input: lazyComponent(() => import('./input.tsx'), 'StateInput'),
  defaultOptions: { choices: [] },
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'StateOptionsForm'),
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'StateCellEditor'),
  columnWidthPx: 150,
}
