import { COLUMN_WIDTH_PX, DEFAULT_LAYOUT, type GridColumn, type GridLayout } from './grid-column.ts'

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

/** The columns that are shown, from start to end, and how many of them are frozen. */
type ShownColumns = { readonly ids: readonly string[]; readonly frozenCount: number }

/** The shown columns in the order of the screen: the frozen ones, then those the order names, then the rest. */
export function shownColumns<Row>(columns: readonly GridColumn<Row>[], layout: GridLayout): ShownColumns {
  const frozen = frozenIds(columns, layout)
  const others = wholeOrder(columns, layout).filter((id) => !frozen.includes(id) && !layout.hidden.includes(id))
  return { ids: [...frozen, ...others], frozenCount: frozen.length }
}

/** Whether a column may stand at another place: the title keeps the first one, if it has it. */
export function canMoveTo<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  id: string,
  place: number,
): boolean {
  const { ids } = shownColumns(columns, layout)
  const from = ids.indexOf(id)
  return from >= 0 && place !== from && place < ids.length && Math.min(from, place) >= firstMovable(columns, ids)
}

/**
 * The layout with a column at another place among the shown ones, counted without it. A column put between frozen ones
 * is frozen, one taken out from among them is not any more; columns out of sight stay behind those they stood behind.
 */
export function withColumnAt<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  id: string,
  place: number,
): GridLayout {
  if (!canMoveTo(columns, layout, id, place)) return layout
  const { ids, frozenCount } = shownColumns(columns, layout)
  const wasFrozen = ids.indexOf(id) < frozenCount
  const others = ids.filter((other) => other !== id)
  const shown = [...others.slice(0, place), id, ...others.slice(place)]
  const frozenOthers = wasFrozen ? frozenCount - 1 : frozenCount
  const isFrozen = wasFrozen ? place <= frozenOthers : place < frozenOthers
  return {
    ...layout,
    order: withHidden(shown, wholeOrder(columns, layout), layout.hidden),
    frozen: shown.slice(0, isFrozen ? frozenOthers + 1 : frozenOthers),
  }
}

/** The layout with every column up to this one frozen, or with none. */
export function withFrozenUpTo<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  id: string | undefined,
): GridLayout {
  const { ids } = shownColumns(columns, layout)
  const shown = ids.slice(0, id === undefined ? 0 : ids.indexOf(id) + 1)
  return { ...layout, order: withHidden(ids, wholeOrder(columns, layout), layout.hidden), frozen: shown }
}

/** Every column, those the order does not name behind those it does. */
function wholeOrder<Row>(columns: readonly GridColumn<Row>[], layout: GridLayout = DEFAULT_LAYOUT): string[] {
  const all = columns.map((column) => column.id)
  const named = layout.order.filter((id) => all.includes(id))
  return [...named, ...all.filter((id) => !named.includes(id))]
}

/** The order of the shown columns with the hidden ones put back, each behind the one it followed. */
function withHidden(shown: readonly string[], before: readonly string[], hidden: readonly string[]): string[] {
  const order = [...shown]
  before.forEach((id, i) => {
    if (!hidden.includes(id) || order.includes(id)) return
    const follows = order.indexOf(before[i - 1] ?? '')
    order.splice(follows + 1, 0, id)
  })
  return order
}

function firstMovable<Row>(columns: readonly GridColumn<Row>[], ids: readonly string[]): number {
  return columns.some((column) => column.isTitle && column.id === ids[0]) ? 1 : 0
}
