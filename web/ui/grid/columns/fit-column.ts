import { COLUMN_WIDTH_PX } from './grid-column.ts'
import type { GridContext } from '#web/ui/grid/grid-context.ts'

/** A little more than the widest content, so that nothing ends at the very edge. */
const PADDING_PX = 2

/** The width at which what is drawn of a column fits; null when nothing of it is drawn. Measured at once, then put back. */
function fittingWidth(grid: Element, columnId: string): number | null {
  const header = grid.querySelector<HTMLElement>(`[data-column-id="${CSS.escape(columnId)}"]`)
  const index = header?.dataset['column']
  if (!header || index === undefined) return null
  const cells = [header, ...grid.querySelectorAll<HTMLElement>(`.grid-row:not([aria-busy]) [data-column="${index}"]`)]
  const before = cells.map((cell) => cell.style.width)
  for (const cell of cells) cell.style.width = 'max-content'
  const widest = Math.max(...cells.map((cell) => cell.getBoundingClientRect().width))
  cells.forEach((cell, i) => {
    cell.style.width = before[i] ?? ''
  })
  return Math.min(COLUMN_WIDTH_PX.max, Math.max(COLUMN_WIDTH_PX.min, Math.ceil(widest) + PADDING_PX))
}

/** Gives a column the width at which all that is drawn of it fits, and says so. */
export function fitColumn<Row>({ gridRef, setWidth, props, texts, say }: GridContext<Row>, columnId: string): void {
  const widthPx = gridRef.current && fittingWidth(gridRef.current, columnId)
  if (widthPx === null) return
  setWidth(columnId, widthPx, true)
  say(texts.columnWidth(props.columns.find((column) => column.id === columnId)?.header ?? '', widthPx))
}
