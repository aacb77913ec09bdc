import { formatOf, topOf } from '#domain/fields/number-format.ts'
import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { formatNumberField } from '#web/shared/formatting/format-number-field.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import './number.css'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'

function NumberCell({ field: { options }, value }: CellProps<'number'>) {
  if (value === null) return null
  const text = formatNumberField(value, options)
  switch (formatOf(options)) {
    case 'rating':
      return (
        <span
          className="rating-stars"
          role="img"
          aria-label={t('{value} of {top} stars', { value, top: topOf(options) })}
        >
          {text}
        </span>
      )
    case 'progress':
      return (
        <span className="progress-value">
          <progress value={Math.max(0, value)} max={topOf(options)} aria-hidden />
          <span>{text}</span>
        </span>
      )
    default:
      return text
  }
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

/** An identifier, so digits aren't grouped. */
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
