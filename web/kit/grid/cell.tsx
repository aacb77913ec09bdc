import { memo, type ReactNode } from 'react'
import type { PlacedColumn } from './grid-column.ts'

type CellProps<Row> = {
  readonly place: PlacedColumn<Row>
  /** Where the cell's pane begins inside the row. */
  readonly paneStartPx: number
  /** Undefined while the row is on its way. */
  readonly row: Row | undefined
  readonly isActive: boolean
  /** Where the title leads; given for the title only. */
  readonly href?: string | undefined
}

function CellOf<Row>({ place, paneStartPx, row, isActive, href }: CellProps<Row>) {
  const { column, index, startPx, widthPx } = place
  return (
    <div
      role={column.isTitle ? 'rowheader' : 'gridcell'}
      aria-colindex={index + 1}
      data-column={index}
      data-align={column.align}
      data-title={column.isTitle || undefined}
      className="grid-cell"
      style={{ insetInlineStart: paneStartPx + startPx, width: widthPx }}
      tabIndex={isActive ? 0 : -1}
    >
      {row === undefined ? <Skeleton seed={index} /> : withLink(column.renderCell(row), href)}
    </div>
  )
}

/** One cell. It draws again only when its row, its column or its being the tab stop changes. */
// The cast gives the generic signature back, which `memo` drops.
export const Cell = memo(CellOf) as typeof CellOf

function withLink(content: ReactNode, href: string | undefined): ReactNode {
  if (href === undefined) return content
  return (
    <a className="grid-link" href={href} tabIndex={-1} data-open>
      {content}
    </a>
  )
}

/** Stands in for a value that is on its way; widths differ so that it reads as text. */
function Skeleton({ seed }: { readonly seed: number }) {
  return <span className="grid-skeleton" style={{ width: `${40 + ((seed * 37) % 45)}%` }} />
}
