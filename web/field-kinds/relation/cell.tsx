import { AppLink, recordPath } from '#web/shared/navigation/app-link.tsx'

import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { type CellProps, Highlighted } from '#web/field-kinds/value-highlights.tsx'
import '../field-kinds.css'

/** More than fit into a cell are counted. */
const MAX_SHOWN = 4

/** The related records by name, each a way to its page. */
export function RelationCell({ field, value }: CellProps<'relation'>) {
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
