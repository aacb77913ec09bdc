import { type CellProps, type FieldKindUi, SHORT_VALUE } from '#web/field-kinds/field-kind.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { AppLink, recordPath } from '#web/shared/navigation/app-link.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import '../field-kinds.css'
import { t } from '#web/i18n/t.ts'

/** Maximum number of values shown in a cell. */
const MAX_RECORDS_SHOWN = 4

function RelationCell({ field, value }: CellProps<'relation'>) {
  const hidden = value.length - MAX_RECORDS_SHOWN
  return (
    <span className="cell-chips">
      {value.slice(0, MAX_RECORDS_SHOWN).map(({ id, title }, at) => (
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

/** The initials of the first and last name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first = ''] = words
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

export function PersonChip({ name, entry = 0 }: { readonly name: string; readonly entry?: number }) {
  return (
    <span className="person-chip">
      <span className="person-initials" aria-hidden>
        {initialsOf(name)}
      </span>
      <span className="person-name">
        <Highlighted text={name} entry={entry} />
      </span>
    </span>
  )
}

/** Maximum number of avatars shown in a cell. */
const MAX_PEOPLE_SHOWN = 3

function UserCell({ value }: CellProps<'user'>) {
  const hidden = value.length - MAX_PEOPLE_SHOWN
  return (
    <span className="cell-chips">
      {value.slice(0, MAX_PEOPLE_SHOWN).map(({ id, name }, at) => (
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
