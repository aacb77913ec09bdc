import type { PointerEvent as ReactPointerEvent, ReactNode } from 'react'
import { IconArrowDown, IconArrowUp } from '#web/ui/icons/general.ts'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { GridTexts } from '#web/ui/grid/grid-texts.ts'
import type { SortMark } from './sorting.ts'

/** What the header of one column draws and does. */
export type HeaderCellProps<Row> = {
  readonly place: PlacedColumn<Row>
  readonly paneStartPx: number
  readonly mark: SortMark | undefined
  readonly isActive: boolean
  readonly menu: ReactNode
  readonly texts: GridTexts
  readonly onResize: (columnId: string, widthPx: number, isFinal: boolean) => void
}

/** A column's header: its name, how it is sorted, its menu, and the edge by which it is widened. */
export function HeaderCell<Row>({ place, paneStartPx, mark, isActive, menu, texts, onResize }: HeaderCellProps<Row>) {
  const { column, index, startPx, widthPx } = place
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      // Only the strongest sort is said in this way, as the attribute's definition asks; the others are in the name.
      aria-sort={mark?.rank === 1 ? (mark.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      data-column={index}
      data-column-id={column.id}
      data-align={column.align}
      className="grid-cell grid-head-cell"
      style={{ insetInlineStart: paneStartPx + startPx, width: widthPx }}
      tabIndex={isActive ? 0 : -1}
    >
      {column.isSortable ? (
        <button type="button" className="grid-sort" tabIndex={-1} data-sort={column.id}>
          <span className="grid-head-label">{column.header}</span>
          {mark && <SortSign mark={mark} texts={texts} />}
        </button>
      ) : (
        <span className="grid-head-label">{column.header}</span>
      )}
      {menu}
      <span
        className="grid-resize"
        aria-hidden
        onPointerDown={(event) =>
          followPointer(event, widthPx, (width, isFinal) => onResize(column.id, width, isFinal))
        }
      />
    </div>
  )
}

function SortSign({ mark, texts }: { readonly mark: SortMark; readonly texts: GridTexts }) {
  const Arrow = mark.direction === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <span className="grid-sort-sign">
      <Arrow size={14} stroke={2} aria-hidden />
      {mark.isOneOfSeveral && <span aria-hidden>{mark.rank}</span>}
      <span className="grid-hidden-text">{texts.sortHint(mark)}</span>
    </span>
  )
}

/** Drags the edge of a column for as long as the pointer is down. */
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
