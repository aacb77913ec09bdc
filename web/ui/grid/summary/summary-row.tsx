import { memo, type ReactNode } from 'react'
import { type PlacedColumn, SELECT_COLUMN_PX } from '#web/ui/grid/columns/grid-column.ts'
import './summary.css'
import './summary-row.css'

/** Where the line below the rows is drawn. */
type SummaryRowPlace = {
  /** Counted from the first header line. */
  readonly line: number
  readonly ariaRowIndex: number
  /** The column of the tab stop, when it is in this line. */
  readonly activeColumn: number | undefined
  // It shows no values of rows, so that whose columns these are means nothing to it.
  readonly frozen: readonly PlacedColumn<never>[]
  readonly center: readonly PlacedColumn<never>[]
  readonly frozenPx: number
  /** How wide the checkboxes before the columns are; 0 where there are none. */
  readonly selectPx: number
}

/** A line that stays at the bottom, as `footer-line.tsx` makes it: fetched when a list has one. */
export type GridSummary = {
  /** Left out while it is on its way: the room for it is kept. */
  readonly renderLine?: (place: SummaryRowPlace) => ReactNode
}

/** Makes a line below the rows from what stands below each column, named by its id. Stable for as long as that is the same. */
export function summaryRowOf(renderCell: (columnId: string) => ReactNode): GridSummary {
  return { renderLine: (place) => <SummaryRow {...place} renderCell={renderCell} /> }
}

type SummaryRowProps = SummaryRowPlace & { readonly renderCell: (columnId: string) => ReactNode }

function SummaryRowOf({ line, ariaRowIndex, activeColumn, selectPx, frozenPx, ...props }: SummaryRowProps) {
  const cellOf = ({ column, index, startPx, widthPx }: PlacedColumn<never>, paneStartPx: number) => (
    <div
      key={column.id}
      role="gridcell"
      aria-colindex={index + 1}
      data-column={index}
      data-align={column.align}
      className="grid-cell grid-foot-cell"
      style={{ insetInlineStart: paneStartPx + startPx, width: widthPx }}
      tabIndex={activeColumn === index ? 0 : -1}
    >
      {props.renderCell(column.id)}
    </div>
  )
  return (
    <div role="rowgroup" className="grid-foot">
      <div role="row" aria-rowindex={ariaRowIndex} data-line={line} className="grid-foot-line">
        <div role="presentation" className="grid-frozen" style={{ width: selectPx + frozenPx }}>
          {selectPx > 0 && (
            <div
              role="gridcell"
              aria-colindex={1}
              data-column={0}
              className="grid-cell"
              style={{ insetInlineStart: 0, width: SELECT_COLUMN_PX }}
              tabIndex={activeColumn === 0 ? 0 : -1}
            />
          )}
          {props.frozen.map((place) => cellOf(place, selectPx))}
        </div>
        {props.center.map((place) => cellOf(place, selectPx + frozenPx))}
      </div>
    </div>
  )
}

/** It draws again for what it shows, not for every line that scrolls by. */
const SummaryRow = memo(SummaryRowOf)
