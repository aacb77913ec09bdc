import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { AppLink, recordPath } from '#web/shared/navigation/app-link.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import '../field-kinds.css'

/** Maximum number of values shown in a cell. */
const MAX_RECORDS_SHOWN = 3

function ReverseCell({ field, value }: CellProps<'reverse'>) {
  if (value === null) return null
  const shown = value.records.slice(0, MAX_RECORDS_SHOWN)
  const hidden = value.count - shown.length
  return (
    <span className="cell-chips">
      {shown.map(({ id, title }, at) => (
        <AppLink key={id} href={recordPath(field.options.collection, id)} className="relation-chip" tabIndex={-1}>
          {title === '' ? UNTITLED : <Highlighted text={title} entry={at} />}
        </AppLink>
      ))}
      {hidden > 0 && <span className="cell-more">+{hidden}</span>}
    </span>
  )
}

export const reverseUi: FieldKindUi<'reverse'> = {
  ...SHORT_VALUE,
  Cell: ReverseCell,
  Input: lazyComponent(() => import('./input.tsx'), 'ReverseInput'),
  defaultOptions: { collection: '', relation: '' },
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'ReverseOptionsForm'),
  CellEditor: null,
  columnWidthPx: 260,
  isWide: true,
  canHaveDefault: false,
  canBePreset: false,
}
