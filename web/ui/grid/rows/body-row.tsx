import { memo, type ReactNode } from 'react'
import { selectionOfCell } from '#web/ui/grid/selection/cell-range.ts'
import { endPx } from '#web/ui/grid/columns/column-layout.ts'
import { type PlacedColumn, SELECT_COLUMN_PX } from '#web/ui/grid/columns/grid-column.ts'

export type ColorMark = {
  readonly hue: string
  /** A short symbol, so that color isn't the only cue. */
  readonly sign: string
  readonly why: string
}

export type RowColors = {
  readonly row?: ColorMark
  readonly cells: { readonly [columnId: string]: ColorMark | undefined }
}

type CellProps<Row> = {
  readonly place: PlacedColumn<Row>
  /** Total width of the preceding columns that aren't rendered. */
  readonly gapPx: number
  /** Undefined while the row is loading. */
  readonly row: Row | undefined
  readonly isActive: boolean
  /** The cell's selection marks; see `selectionOfCell`. */
  readonly range: string | undefined
  readonly href?: string | undefined
  readonly paint?: ColorMark | undefined
  /** Reason for the row's color, announced with the title cell. */
  readonly rowWhy?: string | undefined
}

const TITLE = { role: 'rowheader', 'data-title': true } as const
const TITLE_LOADING = { role: 'gridcell', 'data-title': true } as const
const PLAIN = { role: 'gridcell' } as const

function CellOf<Row>({ place, gapPx, row, isActive, range, href, paint, rowWhy }: CellProps<Row>) {
  const { column, index, widthPx } = place
  return (
    <div
      {...roleOf(column.isTitle === true, row !== undefined)}
      aria-colindex={index + 1}
      aria-selected={range?.includes('r') || undefined}
      aria-readonly={isReadOnly(place, row) || undefined}
      {...accessibleNameOf(column, row, paint?.why ?? rowWhy)}
      data-column={index}
      data-range={range}
      data-align={column.align}
      {...(paint && { 'data-hue': paint.hue, 'data-sign': paint.sign })}
      className="grid-cell"
      style={{ width: widthPx, marginInlineStart: gapPx }}
      tabIndex={isActive ? 0 : -1}
    >
      {row === undefined ? <Skeleton seed={index} /> : withLink(column.renderCell(row), href)}
      {range?.includes('h') && <span className="grid-fill" data-fill aria-hidden />}
    </div>
  )
}

function roleOf(isTitle: boolean, isLoaded: boolean) {
  if (!isTitle) return PLAIN
  return isLoaded ? TITLE : TITLE_LOADING
}

function accessibleNameOf<Row>(
  { faultOf }: PlacedColumn<Row>['column'],
  row: Row | undefined,
  why: string | undefined,
) {
  const fault = row === undefined ? undefined : faultOf?.(row)
  const description = fault ?? why
  if (description === undefined) return undefined
  return { ...(fault !== undefined && { 'aria-invalid': true }), 'aria-description': description, title: description }
}

function isReadOnly<Row>({ column, isReadOnly: isWholeColumn }: PlacedColumn<Row>, row: Row | undefined): boolean {
  return isWholeColumn || (row !== undefined && column.renderEditor !== undefined && column.isEditable?.(row) === false)
}

/** A cell that re-renders only when its row, column, marks or tab stop change. */
// `memo` drops the generic signature.
export const Cell = memo(CellOf) as typeof CellOf

function withLink(content: ReactNode, href: string | undefined): ReactNode {
  if (href === undefined) return content
  return (
    <a className="grid-link" href={href} tabIndex={-1} data-open>
      {content}
    </a>
  )
}

/** Placeholder for a loading value; widths vary to resemble text. */
function Skeleton({ seed }: { readonly seed: number }) {
  return <span className="grid-skeleton" style={{ width: `${40 + ((seed * 37) % 45)}%` }} />
}

/** Props of a row, limited to primitive values and stable lists, so that unchanged rows don't re-render. */
export type BodyRowProps<Row> = {
  /** Line number, starting at the first header line; identifies the row in key and click events. */
  readonly line: number
  readonly ariaRowIndex: number
  readonly level: number | undefined
  readonly topPx: number
  readonly row: Row | undefined
  /** One-based row number in the whole list. */
  readonly number: number
  readonly selectLabel: string
  /** Undefined if the row can't be opened. */
  readonly openLabel: string | undefined
  readonly href: string | undefined
  readonly paint: RowColors | undefined
  readonly frozen: readonly PlacedColumn<Row>[]
  readonly center: readonly PlacedColumn<Row>[]
  readonly frozenPx: number
  readonly isSelected: boolean | undefined
  readonly isCurrent: boolean
  readonly activeColumn: number | undefined
  readonly rangeFirst: number
  readonly rangeEnd: number
  readonly rangeEdges: string
}

function BodyRowOf<Row>(props: BodyRowProps<Row>) {
  const { line, row, frozen, center, frozenPx, isSelected, activeColumn, topPx, paint } = props
  const selectPx = isSelected === undefined ? 0 : SELECT_COLUMN_PX
  const range = { firstColumn: props.rangeFirst, endColumn: props.rangeEnd, edges: props.rangeEdges }
  const cellOf = (place: PlacedColumn<Row>, gapPx = 0) => (
    <Cell
      key={place.column.id}
      place={place}
      gapPx={gapPx}
      row={row}
      isActive={activeColumn === place.index}
      range={selectionOfCell(range, place.index)}
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
            number={props.number}
            selectLabel={props.selectLabel}
            openLabel={props.openLabel}
            isSelected={isSelected}
            isLoaded={row !== undefined}
            isActive={activeColumn === 0}
          />
        )}
        {frozen.map((place) => cellOf(place))}
      </div>
      {center.map((place, at) => cellOf(place, place.startPx - endPx(center[at - 1])))}
    </div>
  )
}

// `memo` drops the generic signature.
export const BodyRow = memo(BodyRowOf) as typeof BodyRowOf

type SelectCellProps = Pick<BodyRowProps<never>, 'number' | 'selectLabel' | 'openLabel'> & {
  readonly isSelected: boolean
  readonly isLoaded: boolean
  readonly isActive: boolean
}

/** Shows the row number or, in its place, the checkbox, followed by the button that opens the row. */
function SelectCell({ number, selectLabel, openLabel, isSelected, isLoaded, isActive }: SelectCellProps) {
  return (
    <div
      role="gridcell"
      aria-colindex={1}
      data-column={0}
      data-select="row"
      // Rendered with CSS, because the number isn't part of the cell's content.
      data-number={number}
      className="grid-cell grid-select"
      style={{ width: SELECT_COLUMN_PX }}
      tabIndex={isActive ? 0 : -1}
    >
      {/* The grid handles the click, because the whole cell is the target. */}
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={selectLabel}
        checked={isSelected}
        disabled={!isLoaded}
        readOnly
      />
      {openLabel !== undefined && (
        <button type="button" className="grid-expand" tabIndex={-1} aria-label={openLabel} data-open />
      )}
    </div>
  )
}

/** The empty cell of the selection column in the filter and summary lines. */
export function EmptySelectCell({ isActive }: { readonly isActive: boolean }) {
  return (
    <div
      role="gridcell"
      aria-colindex={1}
      data-column={0}
      className="grid-cell"
      style={{ insetInlineStart: 0, width: SELECT_COLUMN_PX }}
      tabIndex={isActive ? 0 : -1}
    />
  )
}
