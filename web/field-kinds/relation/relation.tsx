import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { AppLink, recordPath } from '#web/shared/navigation/app-link.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import '../field-kinds.css'

/** More don't fit into a cell. */
const MAX_SHOWN = 4

function RelationCell({ field, value }: CellProps<'relation'>) {
  const hidden = value.length - MAX_SHOWN
  return (
    <span className="cell-chips">
      {value.slice(0, MAX_SHOWN).map(({ id, title }, at) => (
        <AppLink key={id} href={recordPath(field.options.collection, id)} className="relation-chip" tabIndex={-1}>
          {title === '' ? UNTITLED : <Highlighted text={title} entry={at} />}
        </AppLink>
      ))}
      {hidden > 0 && <span className="cell-more">+{hidden}</span>}
    </span>
  )
}

export const relationUi: FieldKindUi<'relation'> = {
  ...SHORT_VALUE,
  Cell: RelationCell,
  Input: lazyComponent(() => import('./input.tsx'), 'RelationInput'),
  defaultOptions: { collection: '', many: false },
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'RelationOptionsForm'),
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'RelationCellEditor'),
  columnWidthPx: 200,
  canHaveDefault: false,
}
