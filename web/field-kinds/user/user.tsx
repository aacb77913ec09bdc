import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import { PersonChip } from './person-chip.tsx'

/** More don't fit into a cell. */
const MAX_SHOWN = 3

function UserCell({ value }: CellProps<'user'>) {
  const hidden = value.length - MAX_SHOWN
  return (
    <span className="cell-chips">
      {value.slice(0, MAX_SHOWN).map(({ id, name }, at) => (
        <PersonChip key={id} name={name} entry={at} />
      ))}
      {hidden > 0 && <span className="cell-more">+{hidden}</span>}
    </span>
  )
}

export const userUi: FieldKindUi<'user'> = {
  ...SHORT_VALUE,
  Cell: UserCell,
  Input: lazyComponent(() => import('./input.tsx'), 'UserInput'),
  defaultOptions: { many: false },
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'UserOptionsForm'),
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'UserCellEditor'),
  columnWidthPx: 180,
  canHaveDefault: false,
  presetMarker: { marker: '@me', label: t('The creator') },
}
