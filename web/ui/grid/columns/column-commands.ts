import { canMoveTo, shownColumns, withColumnAt, withFrozenUpTo } from './column-layout.ts'
import { COLUMN_WIDTH_PX, DEFAULT_LAYOUT, type GridColumn } from './grid-column.ts'
import type { ColumnCommands } from '#web/ui/grid/editing/grid-editing.ts'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import type { GridContext } from '#web/ui/grid/grid-context.ts'

/** Extra width in px, so that content doesn't touch the edge. */
const PADDING_PX = 2

/** Width in px that fits all rendered cells in a column; null if none is rendered. */
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

export function fitColumn<Row>(
  { gridRef, setWidth, props, texts, announce }: GridContext<Row>,
  columnId: string,
): void {
  const widthPx = gridRef.current && fittingWidth(gridRef.current, columnId)
  if (widthPx === null) return
  setWidth(columnId, widthPx, true)
  announce(texts.columnWidth(props.columns.find((column) => column.id === columnId)?.header ?? '', widthPx))
}

export function columnCommands<Row>(
  { columns, layout = DEFAULT_LAYOUT, onLayout }: GridProps<Row>,
  column: GridColumn<Row>,
  getContext: () => GridContext<Row>,
): ColumnCommands {
  const { ids, frozenCount } = shownColumns(columns, layout)
  const place = ids.indexOf(column.id)
  // Freezing re-renders the header in the other pane, so the menu can't restore focus.
  const freeze = (upTo: string | undefined) => {
    const { bounds, cell } = getContext()
    onLayout?.(withFrozenUpTo(columns, layout, upTo))
    cell.focus({ line: 0, column: bounds.firstColumn + place })
  }
  return {
    fitWidth: () => fitColumn(getContext(), column.id),
    canMove: (by) => onLayout !== undefined && canMoveTo(columns, layout, column.id, place + by),
    move: (by) => moveColumn(getContext(), column.id, by),
    freezeUpTo: () => freeze(column.id),
    unfreeze: () => freeze(undefined),
    isFrozenEdge: place === frozenCount - 1,
    selectCells: () => {
      const { bounds, cell, cellRange } = getContext()
      const at = { line: 0, column: bounds.firstColumn + place }
      cell.focus(at)
      cellRange.select({ anchor: at, focus: at, covers: 'columns' }, at)
    },
  }
}

export function moveColumn<Row>(context: GridContext<Row>, columnId: string, by: 1 | -1): void {
  const { ids } = shownColumns(context.props.columns, context.layout)
  moveColumnTo(context, columnId, ids.indexOf(columnId) + by)
}

export function moveColumnTo<Row>(context: GridContext<Row>, columnId: string, to: number): void {
  const { props, layout, bounds } = context
  if (!props.onLayout || !canMoveTo(props.columns, layout, columnId, to)) return
  props.onLayout(withColumnAt(props.columns, layout, columnId, to))
  const header = props.columns.find((column) => column.id === columnId)?.header ?? ''
  context.announce(context.texts.columnPlace(header, to + 1, bounds.endColumn - bounds.firstColumn))
  context.focusColumn(columnId)
}
