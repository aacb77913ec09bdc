import { memo } from 'react'
import { Cell } from './cell.tsx'
import { selectionOfCell } from '#web/ui/grid/selection/cell-range.ts'
import { type PlacedColumn, SELECT_COLUMN_PX } from '#web/ui/grid/columns/grid-column.ts'
import type { RowColors } from './row-color.ts'

/** What one row draws. Only plain values and stable lists, so that a row which did not change is left alone. */
export type BodyRowProps<Row> = {
  /** Counted from the first header line; names the row for keys and clicks. */
  readonly line: number
  readonly ariaRowIndex: number
  readonly level: number | undefined
  readonly topPx: number
  readonly row: Row | undefined
  /** What the row's checkbox is called after. */
  readonly name: string
  readonly href: string | undefined
  readonly paint: RowColors | undefined
  readonly frozen: readonly PlacedColumn<Row>[]
  readonly center: readonly PlacedColumn<Row>[]
  readonly frozenPx: number
  /** Undefined when rows cannot be selected. */
  readonly isSelected: boolean | undefined
  /** It is shown beside the grid. */
  readonly isCurrent: boolean
  /** The column of the tab stop, when it is in this row. */
  readonly activeColumn: number | undefined
  /** What of the marked cells is in this row, as `marksOfLine` tells it. */
  readonly markedFirst: number
  readonly markedEnd: number
  readonly markedEdges: string
}

function BodyRowOf<Row>(props: BodyRowProps<Row>) {
  const { line, row, frozen, center, frozenPx, isSelected, activeColumn, topPx, paint } = props
  const selectPx = isSelected === undefined ? 0 : SELECT_COLUMN_PX
  const marks = { firstColumn: props.markedFirst, endColumn: props.markedEnd, edges: props.markedEdges }
  const cellOf = (place: PlacedColumn<Row>, gapPx = 0) => (
    <Cell
      key={place.column.id}
      place={place}
      gapPx={gapPx}
      row={row}
      isActive={activeColumn === place.index}
      marks={selectionOfCell(marks, place.index)}
      href={place.column.isTitle ? props.href : undefined}
      paint={paint?.cells[place.column.id]}
      rowWhy={place.column.isTitle ? paint?.row?.why : undefined}
    />
  )
  return (
    <div
      role="row"
      aria-rowindex={props.ariaRowIndex}
      aria-level={props.level}
      aria-selected={isSelected}
      aria-current={props.isCurrent || undefined}
      aria-busy={row === undefined || undefined}
      data-line={line}
      data-hue={paint?.row?.hue}
      className="grid-row"
      style={{ top: topPx }}
    >
      <div
        role="presentation"
        className="grid-frozen"
        data-sign={paint?.row?.sign}
        style={{ width: selectPx + frozenPx }}
      >
        {isSelected !== undefined && (
          <SelectCell
            name={props.name}
            isSelected={isSelected}
            isLoaded={row !== undefined}
            isActive={activeColumn === 0}
          />
        )}
        {frozen.map((place) => cellOf(place))}
      </div>
      {center.map((place, at) => cellOf(place, place.startPx - endOf(center[at - 1])))}
    </div>
  )
}

const endOf = <Row,>(place: PlacedColumn<Row> | undefined): number => (place ? place.startPx + place.widthPx : 0)

/** One row of the body, taken up again for another row when it scrolls away. */
// The cast gives the generic signature back, which `memo` drops.
export const BodyRow = memo(BodyRowOf) as typeof BodyRowOf

type SelectCellProps = {
  readonly name: string
  readonly isSelected: boolean
  readonly isLoaded: boolean
  readonly isActive: boolean
}

function SelectCell({ name, isSelected, isLoaded, isActive }: SelectCellProps) {
  return (
    <div
      role="gridcell"
      aria-colindex={1}
      data-column={0}
      data-select="row"
      className="grid-cell grid-select"
      style={{ width: SELECT_COLUMN_PX }}
      tabIndex={isActive ? 0 : -1}
    >
      {/* The grid listens for the click, because the whole cell is the target. */}
      <input type="checkbox" tabIndex={-1} aria-label={name} checked={isSelected} disabled={!isLoaded} readOnly />
    </div>
  )
}
