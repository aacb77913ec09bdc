import type { PointerEvent } from 'react'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { type PointerAt, whenDragged } from '#web/ui/browser/pointer-drag.ts'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { type GridProps, rowAt } from '#web/ui/grid/grid-props.ts'
import { dragRow, type MovableRows, type RowUnder, shiftRow } from '#web/ui/grid/rows/row-drag.ts'
import { type CardMoves, type CardShape, type CardView, GAP_PX } from './use-card-view.ts'

/** Moves cards in the list's own order, by drag and by keyboard; undefined if the list has none that can be changed. */
export function useCardMoves({ source, idOf, onMoveRow }: GridProps<RecordRow>, view: CardView): CardMoves | undefined {
  const rowOf = (line: number) => {
    const found = view.lines.lineAt(line)
    return found?.kind === 'row' ? rowAt(source, found.ordinal) : undefined
  }
  const focusRow = (id: string) => {
    const card = view.drawn.find(({ line }) => {
      const row = rowOf(line)
      return row !== undefined && idOf(row) === id
    })
    if (!card) return
    view.reveal(card.line)
    view.send(card.line)
  }
  const move: typeof onMoveRow = (row, ...place) => {
    const moving = onMoveRow?.(row, ...place)
    // The element of a card can lose its focus when it is moved.
    void moving?.then((isMoved) => isMoved && latest.current.focusRow(idOf(row)))
    return moving
  }
  const isRow = (line: number) => view.lines.lineAt(line)?.kind === 'row'
  const latest = useLatest({ rows: { rowAt: rowOf, isRow, onMoveRow: move }, view, focusRow })
  if (!onMoveRow) return undefined
  return {
    shift: (line, by) => void shiftRow(latest.current.rows, line, by),
    press: (event) => pressCard(event, () => latest.current),
  }
}

type Movable = { readonly rows: MovableRows<RecordRow>; readonly view: CardView }

function pressCard(event: PointerEvent<HTMLElement>, getMovable: () => Movable): void {
  const { target, currentTarget: list, button, pointerId } = event
  if (button !== 0 || !(target instanceof Element) || target.closest('button, label, dd a')) return
  const card = target.closest<HTMLElement>('.card')
  const line = Number(card?.dataset['line'])
  if (!card || getMovable().rows.rowAt(line) === undefined) return
  const shape = getMovable().view.shape
  // A list contains only items.
  const mark = document.createElement('li')
  mark.className = 'card-drop-line'
  mark.ariaHidden = 'true'
  whenDragged(event, () => {
    card.dataset['dragged'] = ''
    dragRow({
      rows: () => getMovable().rows,
      line,
      pointerId,
      scroller: getMovable().view.scrollerRef.current,
      under: (at) => cardUnder(list, at, shape),
      show: (drop) => showDrop(list, mark, { drop, shape }),
      onEnd: () => {
        delete card.dataset['dragged']
      },
    })
  })
}

const isRtl = (list: HTMLElement): boolean => getComputedStyle(list).direction === 'rtl'

const isStacked = ({ columns }: CardShape): boolean => columns === 1

/** The card under the pointer, including the space around it. */
function cardUnder(list: HTMLElement, { xPx, yPx }: PointerAt, shape: CardShape): RowUnder | undefined {
  for (const element of list.querySelectorAll<HTMLElement>('.card')) {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const isInside = yPx >= top - GAP_PX && yPx < bottom && xPx >= left - GAP_PX / 2 && xPx < right + GAP_PX / 2
    if (!isInside) continue
    const isFirstHalf = isStacked(shape) ? yPx < (top + bottom) / 2 : xPx < (left + right) / 2 !== isRtl(list)
    return { element, place: isFirstHalf ? 'before' : 'after' }
  }
  return undefined
}

type Shown = { readonly drop: RowUnder | undefined; readonly shape: CardShape }

/** Draws a line above or below a card, or beside one of several columns. */
function showDrop(list: HTMLElement, mark: HTMLElement, { drop, shape }: Shown): void {
  if (!drop) return mark.remove()
  const { element, place } = drop
  const { offsetTop, offsetLeft, offsetWidth, offsetHeight } = element
  const isStart = (place === 'before') !== (!isStacked(shape) && isRtl(list))
  const gapPx = shape.isRow ? 0 : GAP_PX / 2
  Object.assign(
    mark.style,
    isStacked(shape)
      ? { top: `${isStart ? offsetTop - gapPx : offsetTop + offsetHeight + gapPx}px`, insetInline: '0', height: '2px' }
      : {
          top: `${offsetTop}px`,
          left: `${isStart ? offsetLeft - gapPx : offsetLeft + offsetWidth + gapPx}px`,
          width: '2px',
          height: `${offsetHeight}px`,
        },
  )
  list.append(mark)
}
