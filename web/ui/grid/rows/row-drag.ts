import { followScrollingDrag, type PointerAt } from '#web/ui/browser/pointer-drag.ts'
import type { GridProps, RowPlace } from '#web/ui/grid/grid-props.ts'

/** The lines of a list whose rows can be moved, as they are now. */
export type MovableRows<Row> = {
  /** Undefined for group headers and rows that are still loading. */
  readonly rowAt: (line: number) => Row | undefined
  readonly isRow: (line: number) => boolean
  readonly onMoveRow: GridProps<Row>['onMoveRow']
}

/** Moves a row past the row above or below it, within its group; undefined if there is none. */
export function shiftRow<Row>({ rowAt, onMoveRow }: MovableRows<Row>, line: number, by: -1 | 1) {
  const [row, neighbor] = [rowAt(line), rowAt(line + by)]
  if (row === undefined || neighbor === undefined) return undefined
  const [place, back] = by < 0 ? (['before', 'after'] as const) : (['after', 'before'] as const)
  return onMoveRow?.(row, { place, neighbor }, { place: back, neighbor })
}

/** The row under the pointer, and on which side of its middle the pointer is. */
export type RowUnder = { readonly element: HTMLElement; readonly place: RowPlace<never>['place'] }

type RowDrag<Row> = {
  readonly rows: () => MovableRows<Row>
  readonly line: number
  readonly pointerId?: number
  readonly under: (at: PointerAt) => RowUnder | undefined
  /** Shows where the row would be dropped. */
  readonly show: (drop: RowUnder | undefined) => void
  readonly onEnd?: () => void
} & Parameters<typeof followScrollingDrag>[1]

/** Follows the drag of a row, and moves it when it is dropped at another place of its group. */
export function dragRow<Row>({ rows, line: from, pointerId, under, show, onEnd, ...scrolled }: RowDrag<Row>): void {
  const row = rows().rowAt(from)
  const former = neighborOf(rows(), from)
  let to: RowUnder | undefined
  followScrollingDrag(pointerId, scrolled, {
    onMove: (at) => {
      const found = under(at)
      to = found && isMove(rows(), from, found) ? found : undefined
      show(to)
    },
    onEnd: (isCanceled) => {
      show(undefined)
      onEnd?.()
      const neighbor = to && rows().rowAt(lineOf(to))
      if (!to || isCanceled || row === undefined || neighbor === undefined) return
      void rows().onMoveRow?.(row, { place: to.place, neighbor }, former)
    },
  })
}

const lineOf = ({ element }: RowUnder): number => Number(element.dataset['line'])

/** Where the row was, so that the move can be undone. */
function neighborOf<Row>({ rowAt }: MovableRows<Row>, line: number): RowPlace<Row> | undefined {
  const [before, after] = [rowAt(line - 1), rowAt(line + 1)]
  if (before !== undefined) return { place: 'after', neighbor: before }
  return after === undefined ? undefined : { place: 'before', neighbor: after }
}

/** Whether the row would leave its place, but not its group. */
function isMove<Row>({ isRow }: MovableRows<Row>, from: number, to: RowUnder): boolean {
  const line = lineOf(to)
  if (line === from || line === from + (to.place === 'before' ? 1 : -1)) return false
  for (let each = Math.min(from, line); each <= Math.max(from, line); each += 1) if (!isRow(each)) return false
  return true
}
