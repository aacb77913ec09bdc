import { memo, type ReactNode } from 'react'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'
import { EmptySelectCell } from '#web/ui/grid/rows/body-row.tsx'
import './summary.css'

type SummaryRowPlace = {
  readonly line: number
  readonly ariaRowIndex: number
  readonly activeColumn: number | undefined
  readonly frozen: readonly PlacedColumn<never>[]
  readonly center: readonly PlacedColumn<never>[]
  readonly frozenPx: number
  readonly selectPx: number
}

export type GridSummary = {
  /** Undefined while the summary is loading; its space is reserved. */
  readonly renderLine?: (place: SummaryRowPlace) => ReactNode
}

/**
 * Creates a summary line from the content below each column, by column ID. Returns the same object while the content is
 * unchanged.
 */
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
      className="grid-cell grid-footer-cell"
      style={{ insetInlineStart: paneStartPx + startPx, width: widthPx }}
      tabIndex={activeColumn === index ? 0 : -1}
    >
      {props.renderCell(column.id)}
    </div>
  )
  return (
    <div role="rowgroup" className="grid-footer">
      <div role="row" aria-rowindex={ariaRowIndex} data-line={line} className="grid-footer-line">
        <div role="presentation" className="grid-frozen" style={{ width: selectPx + frozenPx }}>
          {selectPx > 0 && <EmptySelectCell isActive={activeColumn === 0} />}
          {props.frozen.map((place) => cellOf(place, selectPx))}
        </div>
        {props.center.map((place) => cellOf(place, selectPx + frozenPx))}
      </div>
    </div>
  )
}

/** Memoized, so that scrolling doesn't re-render the summary line. */
const SummaryRow = memo(SummaryRowOf)
