import { memo, type ReactNode } from 'react'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { ColorMark } from './row-color.ts'

type CellProps<Row> = {
  readonly place: PlacedColumn<Row>
  /** How much of the row lies empty before it: columns out of sight are not drawn. */
  readonly gapPx: number
  /** Undefined while the row is on its way. */
  readonly row: Row | undefined
  readonly isActive: boolean
  /** What of the marked cells it shows, in letters: see `marksOfCell`. */
  readonly marks: string | undefined
  /** Where the title leads; given for the title only. */
  readonly href?: string | undefined
  readonly paint?: ColorMark | undefined
  /** Why its row stands out; told by the title. */
  readonly rowWhy?: string | undefined
}

const TITLE = { role: 'rowheader', 'data-title': true } as const
const TITLE_LOADING = { role: 'gridcell', 'data-title': true } as const
const PLAIN = { role: 'gridcell' } as const

function CellOf<Row>({ place, gapPx, row, isActive, marks, href, paint, rowWhy }: CellProps<Row>) {
  const { column, index, widthPx } = place
  return (
    <div
      {...roleOf(column.isTitle === true, row !== undefined)}
      aria-colindex={index + 1}
      aria-selected={marks?.includes('r') || undefined}
      aria-readonly={isReadOnly(place, row) || undefined}
      {...accessibleNameOf(column, row, paint?.why ?? rowWhy)}
      data-column={index}
      data-marks={marks}
      data-align={column.align}
      {...(paint && { 'data-hue': paint.hue, 'data-sign': paint.sign })}
      className="grid-cell"
      style={{ width: widthPx, marginInlineStart: gapPx }}
      tabIndex={isActive ? 0 : -1}
    >
      {row === undefined ? <Skeleton seed={index} /> : withLink(column.renderCell(row), href)}
      {marks?.includes('h') && <span className="grid-fill" data-fill aria-hidden />}
    </div>
  )
}

/** What has no words yet names no row. */
function roleOf(isTitle: boolean, isLoaded: boolean) {
  if (!isTitle) return PLAIN
  return isLoaded ? TITLE : TITLE_LOADING
}

/** What is said of a cell beside its value: what is wrong with it, or else why it stands out. */
function accessibleNameOf<Row>(
  { faultOf }: PlacedColumn<Row>['column'],
  row: Row | undefined,
  why: string | undefined,
) {
  const fault = row === undefined ? undefined : faultOf?.(row)
  const told = fault ?? why
  if (told === undefined) return undefined
  return { ...(fault !== undefined && { 'aria-invalid': true }), 'aria-description': told, title: told }
}

/** In a grid whose other cells can be edited, those that cannot say so. */
function isReadOnly<Row>({ column, isReadOnly: isWholeColumn }: PlacedColumn<Row>, row: Row | undefined): boolean {
  return isWholeColumn || (row !== undefined && column.renderEditor !== undefined && column.isEditable?.(row) === false)
}

/** One cell. It draws again only when its row, its column, its marks or its being the tab stop change. */
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
