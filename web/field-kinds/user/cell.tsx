import { type CellProps, Highlighted } from '#web/field-kinds/value-highlights.tsx'
import '../field-kinds.css'
import '../field-kinds.css'

/** The first letters of somebody's first and last name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first = ''] = words
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** Somebody by their initials and name. */
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

/** More than fit into a cell are counted. */
const MAX_SHOWN = 3

/** The chosen people by name. */
export function UserCell({ value }: CellProps<'user'>) {
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
