import { canMoveTo, shownColumns, withFrozenUpTo } from './column-order.ts'
import { DEFAULT_LAYOUT, type GridColumn } from './grid-column.ts'
import type { ColumnCommands } from './grid-editing.ts'
import { type LateCommands, moveColumn } from './grid-keys.ts'
import type { GridProps } from './grid-props.ts'
import type { GridReach } from './grid-reach.ts'

/** What the menu of a column can do, each of it without a drag. `reachNow` is asked when it is done, not when it is drawn. */
export function columnCommands<Row>(
  { columns, layout = DEFAULT_LAYOUT, onLayout }: GridProps<Row>,
  column: GridColumn<Row>,
  reachNow: () => GridReach<Row> & { readonly late: LateCommands | undefined },
): ColumnCommands {
  const { ids, frozenCount } = shownColumns(columns, layout)
  const place = ids.indexOf(column.id)
  const freeze = (upTo: string | undefined) => onLayout?.(withFrozenUpTo(columns, layout, upTo))
  return {
    fitWidth: () => reachNow().late?.fitColumn(column.id),
    canMove: (by) => onLayout !== undefined && canMoveTo(columns, layout, column.id, place + by),
    move: (by) => moveColumn(reachNow(), column.id, by),
    freezeUpTo: () => freeze(column.id),
    unfreeze: () => freeze(undefined),
    isFrozenEdge: place === frozenCount - 1,
    selectCells: () => {
      const { bounds, cell, marked } = reachNow()
      const at = { line: 0, column: bounds.firstColumn + place }
      cell.send(at)
      marked.mark({ anchor: at, head: at, covers: 'columns' }, at)
    },
  }
}
