import type { PointerEvent as ReactPointerEvent, ReactNode } from 'react'
import {
  FILTERS_PX,
  type FilterSlot,
  type GridColumn,
  type GridSort,
  HEADER_END_PX,
  HEADER_PX,
  type PlacedColumn,
  SELECT_COLUMN_PX,
  type SortMark,
  sortOf,
} from '#web/ui/grid/columns/grid-column.ts'
import { EmptySelectCell } from '#web/ui/grid/rows/body-row.tsx'
import { useRename } from './use-rename.tsx'
import type { ColumnCommands } from '#web/ui/grid/editing/grid-editing.ts'
import type { GridProps, GridTexts } from '#web/ui/grid/grid-props.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { useDescription } from '#web/ui/popup/use-description.tsx'
import { IconArrowDown, IconArrowUp } from '#web/ui/icons/general.ts'
import { IconRefresh } from '#web/ui/icons/start.ts'

type HeaderCellProps<Row> = {
  readonly place: PlacedColumn<Row>
  readonly paneStartPx: number
  readonly mark: SortMark | undefined
  readonly isActive: boolean
  readonly menu: ReactNode
  readonly texts: GridTexts
  readonly onResize: (columnId: string, widthPx: number, isFinal: boolean) => void
  readonly onRename: GridProps<Row>['onRenameColumn']
}

function HeaderCell<Row>(props: HeaderCellProps<Row>) {
  const { place, paneStartPx, mark, isActive, menu, texts, onResize } = props
  const { column, index, startPx, widthPx } = place
  const { name, onClick, input } = useRename(column, props.onRename, texts)
  // The tooltip is above, because the menu opens below.
  const { described, tooltip } = useDescription(column.description, 'top-start')
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      // ARIA allows only one sorted column, so the label describes the others.
      aria-sort={mark?.rank === 1 ? (mark.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      data-column={index}
      data-column-id={column.id}
      data-align={column.align}
      className="grid-cell grid-header-cell"
      style={{ insetInlineStart: paneStartPx + startPx, width: widthPx }}
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
      {...described}
    >
      {column.isSortable ? (
        <button type="button" className="grid-sort" tabIndex={-1} data-sort={column.id}>
          <span className="grid-header-label">{name}</span>
          {column.status !== undefined && <HeaderStatus text={column.status} />}
          {mark && <SortIndicator mark={mark} texts={texts} />}
        </button>
      ) : (
        <>
          <span className="grid-header-label">{name}</span>
          {column.status !== undefined && <HeaderStatus text={column.status} />}
        </>
      )}
      {menu}
      {input}
      <span
        className="grid-resize"
        aria-hidden
        onPointerDown={(event) =>
          followPointer(event, widthPx, (width, isFinal) => onResize(column.id, width, isFinal))
        }
      />
      {tooltip}
    </div>
  )
}

function HeaderStatus({ text }: { readonly text: string }) {
  return (
    <span className="grid-header-status" title={text}>
      <IconRefresh size={14} stroke={1.75} aria-hidden />
      <span className="grid-hidden-text">{text}</span>
    </span>
  )
}

function SortIndicator({ mark, texts }: { readonly mark: SortMark; readonly texts: GridTexts }) {
  const Arrow = mark.direction === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <span className="grid-sort-mark">
      <Arrow size={14} stroke={2} aria-hidden />
      {mark.isOneOfSeveral && <span aria-hidden>{mark.rank}</span>}
      <span className="grid-hidden-text">{texts.sortHint(mark)}</span>
    </span>
  )
}

function followPointer(
  event: ReactPointerEvent<HTMLElement>,
  widthPx: number,
  onWidth: (widthPx: number, isFinal: boolean) => void,
): void {
  const grip = event.currentTarget
  const startX = event.clientX
  const sign = getComputedStyle(grip).direction === 'rtl' ? -1 : 1
  const widthAt = (at: PointerEvent) => widthPx + (at.clientX - startX) * sign
  const move = (at: PointerEvent) => onWidth(widthAt(at), false)
  const finish = (at: PointerEvent) => {
    grip.removeEventListener('pointermove', move)
    onWidth(widthAt(at), true)
  }
  event.preventDefault()
  grip.setPointerCapture(event.pointerId)
  grip.addEventListener('pointermove', move)
  grip.addEventListener('lostpointercapture', finish, { once: true })
}

export type GridHeaderProps<Row> = {
  readonly frozen: readonly PlacedColumn<Row>[]
  readonly center: readonly PlacedColumn<Row>[]
  readonly frozenPx: number
  readonly sort: readonly GridSort[]
  readonly active: GridPosition
  readonly areFiltersShown: boolean
  readonly selected: 'none' | 'some' | 'all' | undefined
  /** Whether rows can be selected; false for an empty list and while rows are loading. */
  readonly hasRows: boolean
  readonly selectLabel: string
  readonly renderMenu: GridProps<Row>['renderHeaderMenu']
  readonly commandsOf: (column: GridColumn<Row>) => ColumnCommands
  readonly onResize: (columnId: string, widthPx: number, isFinal: boolean) => void
  readonly onRename: GridProps<Row>['onRenameColumn']
  readonly lastControl: HeaderEnd | undefined
  readonly texts: GridTexts
}

/** Width of the control after the last header. */
type HeaderEnd = { readonly column: number; readonly startPx: number; readonly content: ReactNode }

export function GridHeader<Row>(props: GridHeaderProps<Row>) {
  const activeIn = (line: number) => (props.active.line === line ? props.active.column : undefined)
  const menuOf = (column: GridColumn<Row>) => props.renderMenu?.(column, -1, props.commandsOf(column))
  return (
    <div role="rowgroup" className="grid-header">
      <HeaderRow
        {...props}
        line={0}
        heightPx={HEADER_PX}
        corner={<SelectAll {...props} isActive={activeIn(0) === 0} />}
        end={
          props.lastControl && <EndCell end={props.lastControl} isActive={activeIn(0) === props.lastControl.column} />
        }
      >
        {(place, paneStartPx) => (
          <HeaderCell
            key={place.column.id}
            place={place}
            paneStartPx={paneStartPx}
            mark={sortOf(props.sort, place.column.id)}
            isActive={activeIn(0) === place.index}
            menu={menuOf(place.column)}
            texts={props.texts}
            onResize={props.onResize}
            onRename={props.onRename}
          />
        )}
      </HeaderRow>
      {props.areFiltersShown && (
        <HeaderRow {...props} line={1} heightPx={FILTERS_PX} corner={<EmptySelectCell isActive={activeIn(1) === 0} />}>
          {(place, paneStartPx) => (
            <FilterCell
              key={place.column.id}
              place={place}
              paneStartPx={paneStartPx}
              isActive={activeIn(1) === place.index}
              slot={{ label: props.texts.filterFor(place.column.header), tabIndex: activeIn(1) === undefined ? -1 : 0 }}
            />
          )}
        </HeaderRow>
      )}
    </div>
  )
}

type HeaderRowProps<Row> = {
  readonly line: number
  readonly heightPx: number
  readonly selected: 'none' | 'some' | 'all' | undefined
  readonly corner: ReactNode
  readonly end?: ReactNode
  readonly frozen: readonly PlacedColumn<Row>[]
  readonly center: readonly PlacedColumn<Row>[]
  readonly frozenPx: number
  readonly children: (place: PlacedColumn<Row>, paneStartPx: number) => ReactNode
}

function HeaderRow<Row>(props: HeaderRowProps<Row>) {
  const { line, heightPx, selected, corner, end, frozen, center, frozenPx, children } = props
  const selectPx = selected === undefined ? 0 : SELECT_COLUMN_PX
  return (
    <div role="row" aria-rowindex={line + 1} data-line={line} className="grid-header-line" style={{ height: heightPx }}>
      <div role="presentation" className="grid-frozen" style={{ width: selectPx + frozenPx }}>
        {selected !== undefined && corner}
        {frozen.map((place) => children(place, selectPx))}
      </div>
      {center.map((place) => children(place, selectPx + frozenPx))}
      {end}
    </div>
  )
}

function EndCell({ end, isActive }: { readonly end: HeaderEnd; readonly isActive: boolean }) {
  return (
    <div
      role="columnheader"
      aria-colindex={end.column + 1}
      data-column={end.column}
      className="grid-cell grid-header-end"
      style={{ insetInlineStart: end.startPx, width: HEADER_END_PX }}
      tabIndex={isActive ? 0 : -1}
    >
      {end.content}
    </div>
  )
}

type SelectAllProps = {
  readonly selected: 'none' | 'some' | 'all' | undefined
  readonly hasRows: boolean
  readonly selectLabel: string
  readonly isActive: boolean
}

function SelectAll({ selected, hasRows, selectLabel, isActive }: SelectAllProps) {
  return (
    <div
      role="columnheader"
      aria-colindex={1}
      data-column={0}
      data-select="all"
      className="grid-cell grid-select"
      style={{ insetInlineStart: 0, width: SELECT_COLUMN_PX }}
      tabIndex={isActive ? 0 : -1}
    >
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={selectLabel}
        disabled={!hasRows}
        checked={selected === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = selected === 'some'
        }}
        readOnly
      />
    </div>
  )
}

type FilterCellProps<Row> = {
  readonly place: PlacedColumn<Row>
  readonly paneStartPx: number
  readonly isActive: boolean
  readonly slot: FilterSlot
}

function FilterCell<Row>({ place, paneStartPx, isActive, slot }: FilterCellProps<Row>) {
  return (
    <div
      role="gridcell"
      aria-colindex={place.index + 1}
      data-column={place.index}
      className="grid-cell grid-filter"
      style={{ insetInlineStart: paneStartPx + place.startPx, width: place.widthPx }}
      tabIndex={isActive ? 0 : -1}
    >
      {place.column.renderFilter?.(slot)}
    </div>
  )
}
