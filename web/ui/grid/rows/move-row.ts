import type { MouseEvent } from 'react'
import { type DragArea, EDGE_PX, whenDragged } from '#web/ui/browser/pointer-drag.ts'
import { type GridContext, kindOfLine, rowOfPosition } from '#web/ui/grid/grid-context.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { positionOf } from '#web/ui/grid/selection/use-active-cell.ts'
import { dragRow, type MovableRows, type RowUnder, shiftRow } from './row-drag.ts'

const rowsOf = <Row>(context: GridContext<Row>): MovableRows<Row> => ({
  rowAt: (line) => rowOfPosition(context, { line, column: 0 }),
  isRow: (line) => kindOfLine(context, line) === 'row',
  onMoveRow: context.props.onMoveRow,
})

/** Moves a row past the row above or below it, within its group. */
export function moveRowBy<Row>(context: GridContext<Row>, at: GridPosition, by: -1 | 1): boolean {
  const { props, cell, reveal } = context
  if (!props.onMoveRow) return false
  if (!shiftRow(rowsOf(context), at.line, by)) return true
  const to = { ...at, line: at.line + by }
  cell.focus(to)
  reveal(to)
  return true
}

/** Starts dragging a row by its number. Returns whether the press was on the number of a row that can be moved. */
export function pressRowNumber<Row>(getContext: () => GridContext<Row>, event: MouseEvent<HTMLElement>): boolean {
  const { target, currentTarget: grid, button } = event
  const isNumber = target instanceof Element && target.closest('[data-select="row"]') && !target.closest('button')
  const at = isNumber ? positionOf(grid, target) : undefined
  const context = getContext()
  const row = at && rowOfPosition(context, at)
  if (button !== 0 || !at || row === undefined || !context.props.onMoveRow) return false
  event.preventDefault()
  const mark = document.createElement('div')
  mark.className = 'grid-drop-line'
  whenDragged(event, () =>
    dragRow({
      rows: () => rowsOf(getContext()),
      line: at.line,
      scroller: grid,
      areaNow: () => areaOf(grid),
      under: ({ yPx }) => rowUnder(grid, yPx),
      show: (drop) => showDrop(grid, mark, drop),
    }),
  )
  return true
}

function rowUnder(grid: HTMLElement, yPx: number): RowUnder | undefined {
  const rows = grid.querySelectorAll<HTMLElement>('.grid-body > .grid-row[data-line]')
  for (const element of rows) {
    const { top, bottom } = element.getBoundingClientRect()
    if (yPx >= top && yPx < bottom) return { element, place: yPx < (top + bottom) / 2 ? 'before' : 'after' }
  }
  return undefined
}

function showDrop(grid: HTMLElement, mark: HTMLElement, drop: RowUnder | undefined): void {
  const body = grid.querySelector('.grid-body')
  if (!drop || !body) return mark.remove()
  const { top, bottom } = drop.element.getBoundingClientRect()
  mark.style.top = `${(drop.place === 'before' ? top : bottom) - body.getBoundingClientRect().top}px`
  body.append(mark)
}

const areaOf = (grid: HTMLElement): DragArea => {
  const { top, bottom } = grid.getBoundingClientRect()
  const head = grid.querySelector('.grid-header')?.getBoundingClientRect().bottom ?? top
  return {
    left: Number.NEGATIVE_INFINITY,
    right: Number.POSITIVE_INFINITY,
    top: head + EDGE_PX,
    bottom: bottom - EDGE_PX,
  }
}
