import { IconFile } from '#web/kit/icons/icon-file.ts'
import type { CellProps } from '../part-props.ts'
import { Marked, useMarkedEntries } from '../value-marks.tsx'
import '../fields.css'

/** More than fit into a cell are counted. */
const MOST_SHOWN = 3

/** Names are out of sight as a rule; one that was looked for is shown. */
function FoundFiles({ value }: Pick<CellProps<'files'>, 'value'>) {
  const places = useMarkedEntries()
  return value.map(({ id, name }, at) =>
    places.has(at) ? (
      <span key={id} className="cell-file-name" aria-hidden>
        <Marked text={name} entry={at} />
      </span>
    ) : null,
  )
}

/** The first files as small pictures, and how many there are. */
export function FilesCell({ value }: CellProps<'files'>) {
  if (value.length === 0) return null
  const names = value.map((file) => file.name).join(', ')
  return (
    <span className="cell-chips" title={names}>
      {value.slice(0, MOST_SHOWN).map(({ id, thumbUrl }) =>
        thumbUrl === null ? (
          <span key={id} className="cell-thumb">
            <IconFile size={14} stroke={1.5} aria-hidden />
          </span>
        ) : (
          <img key={id} className="cell-thumb" src={thumbUrl} alt="" loading="lazy" decoding="async" />
        ),
      )}
      {value.length > MOST_SHOWN && <span className="cell-more">+{value.length - MOST_SHOWN}</span>}
      <FoundFiles value={value} />
      <span className="visually-hidden">{names}</span>
    </span>
  )
}
