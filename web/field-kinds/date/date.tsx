import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { formatDay, formatInstant } from '#web/shared/formatting/format-value.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'

function DateCell({ value }: CellProps<'date'>) {
  return value === null ? null : <time dateTime={value}>{formatDay(value)}</time>
}

export const dateUi: FieldKindUi<'date'> = {
  ...SHORT_VALUE,
  Cell: DateCell,
  Input: lazyComponent(() => import('./input.tsx'), 'DateInput'),
  defaultOptions: {},
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'DateCellEditor'),
  columnWidthPx: 130,
  presetMarker: { marker: '@today', label: t('Creation date') },
}

function DateTimeCell({ value }: CellProps<'date-time'>) {
  return value === null ? null : <time dateTime={value}>{formatInstant(value)}</time>
}

export const dateTimeUi: FieldKindUi<'date-time'> = {
  ...SHORT_VALUE,
  Cell: DateTimeCell,
  Input: lazyComponent(() => import('./input.tsx'), 'DateTimeInput'),
  defaultOptions: {},
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'DateTimeCellEditor'),
  columnWidthPx: 192,
  presetMarker: { marker: '@now', label: t('Creation time') },
}
