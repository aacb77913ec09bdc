import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { formatInstant } from '#web/shared/formatting/format-value.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'

function DateTimeCell({ value }: CellProps<'date-time'>) {
  return value === null ? null : <time dateTime={value}>{formatInstant(value)}</time>
}

export const dateTimeUi: FieldKindUi<'date-time'> = {
  ...SHORT_VALUE,
  Cell: DateTimeCell,
  Input: lazyComponent(() => import('./input.tsx'), 'DateTimeInput'),
  defaultOptions: {},
  CellEditor: lazyComponent(() => import('#web/field-kinds/date/cell-editor.tsx'), 'DateTimeCellEditor'),
  columnWidthPx: 192,
  presetMarker: { marker: '@now', label: t('Time of creation') },
}
