import { COLUMN_WIDTH_PX, type GridColumn, type GridLayout } from './grid-column.ts'

/** The ids of the frozen columns, the title alone where nobody said otherwise. */
export function frozenIds<Row>(columns: readonly GridColumn<Row>[], { frozen, hidden }: GridLayout): readonly string[] {
  const title = columns.find((column) => column.isTitle)?.id
  const known = new Set(columns.map((column) => column.id))
  const named = frozen ?? (title === undefined ? [] : [title])
  return named.filter((id) => known.has(id) && !hidden.includes(id))
}

/** The frozen columns for which there is room: so many from the start as leave half of the width to the others. */
export function frozenWithin<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  roomPx: number,
): readonly string[] {
  const ids = frozenIds(columns, layout)
  let usedPx = 0
  const first = ids.findIndex((id) => {
    usedPx += layout.widthsPx[id] ?? columns.find((column) => column.id === id)?.widthPx ?? COLUMN_WIDTH_PX.normal
    return usedPx > roomPx
  })
  return first < 0 ? ids : ids.slice(0, first)
}
