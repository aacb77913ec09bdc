import type { CellProps } from '#web/field-kinds/kind-props.ts'
import { PersonChip } from './person-chip.tsx'
import '../field-kinds.css'

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
