import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { IconCheck } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import '../field-kinds.css'

/** An unchecked box isn't shown but is announced. */
function CheckboxCell({ value }: CellProps<'checkbox'>) {
  if (!value) return <span className="visually-hidden">{t('No')}</span>
  return (
    <span className="cell-tick">
      <IconCheck size={16} stroke={2} aria-hidden />
      <span className="visually-hidden">{t('Yes')}</span>
    </span>
  )
}

export const checkboxUi: FieldKindUi<'checkbox'> = {
  ...SHORT_VALUE,
  Cell: CheckboxCell,
  Input: lazyComponent(() => import('./input.tsx'), 'CheckboxInput'),
  defaultOptions: {},
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'CheckboxCellEditor'),
  columnWidthPx: 100,
}
