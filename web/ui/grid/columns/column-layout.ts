import { countWhile } from '#web/ui/grid/rows/row-window.ts'
import { COLUMN_WIDTH_PX, type GridColumn, type GridLayout, type PlacedColumn } from './grid-column.ts'

type Widths = GridLayout['widthsPx']

export function clampWidth<Row>(column: GridColumn<Row>, widthPx: number): number {
  return Math.min(Math.max(widthPx, column.minWidthPx ?? COLUMN_WIDTH_PX.min), COLUMN_WIDTH_PX.max)
}

function widthOf<Row>(column: GridColumn<Row>, widthsPx: Widths): number {
  return clampWidth(column, widthsPx[column.id] ?? column.widthPx ?? COLUMN_WIDTH_PX.normal)
}

export function frozenIds<Row>(columns: readonly GridColumn<Row>[], { frozen, hidden }: GridLayout): readonly string[] {
  const known = new Set(columns.map(({ id }) => id))
  const title = columns.find((column) => column.isTitle)?.id
  const named = frozen ?? (title === undefined ? [] : [title])
  return [...new Set(named)].filter((id) => known.has(id) && !hidden.includes(id))
}

type ShownColumns = { readonly ids: readonly string[]; readonly frozenCount: number }

export function shownColumns<Row>(columns: readonly GridColumn<Row>[], layout: GridLayout): ShownColumns {
  const frozen = frozenIds(columns, layout)
  const excluded = new Set([...frozen, ...layout.hidden])
  const others = fullOrder(columns, layout).filter((id) => !excluded.has(id))
  return { ids: [...frozen, ...others], frozenCount: frozen.length }
}

export type PlacedColumns<Row> = {
  readonly frozen: readonly PlacedColumn<Row>[]
  readonly center: readonly PlacedColumn<Row>[]
  readonly frozenPx: number
  readonly centerPx: number
}

export type PlacementOptions = {
  readonly layout: GridLayout
  readonly widthsPx: Widths
  readonly frozenCount: number
  readonly firstIndex: number
}

export function placeColumns<Row>(columns: readonly GridColumn<Row>[], options: PlacementOptions): PlacedColumns<Row> {
  const { layout, widthsPx, frozenCount, firstIndex } = options
  const shown = inShownOrder(columns, layout)
  const canAnyEdit = columns.some((column) => column.renderEditor !== undefined)
  const placeFrom = (first: number, end?: number) => {
    let startPx = 0
    return shown.slice(first, end).map((column, at): PlacedColumn<Row> => {
      const widthPx = widthOf(column, widthsPx)
      const isReadOnly = canAnyEdit && column.renderEditor === undefined
      const place = { column, index: firstIndex + first + at, startPx, widthPx, isReadOnly }
      startPx += widthPx
      return place
    })
  }
  const frozen = placeFrom(0, frozenCount)
  const center = placeFrom(frozenCount)
  return { frozen, center, frozenPx: endPx(frozen.at(-1)), centerPx: endPx(center.at(-1)) }
}

/**
 * Widths that align the last fitting column with the right edge: the columns that fit share the remaining space. If all
 * columns fit but leave less than `afterPx` after them, they are narrowed. Empty if no change is needed or the user has
 * resized a column.
 */
export function fittedWidths<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  availablePx: number,
  afterPx = 0,
): Widths {
  if (Object.keys(layout.widthsPx).length > 0) return layout.widthsPx
  const shown = inShownOrder(columns, layout)
  const ends: number[] = []
  for (const column of shown) ends.push((ends.at(-1) ?? 0) + widthOf(column, layout.widthsPx))
  const count = countWhile(ends, (end) => end <= availablePx)
  const areAllShown = count === shown.length
  const sharedPx = Math.floor(availablePx) - (ends[count - 1] ?? 0) - (areAllShown ? afterPx : 0)
  if (count === 0 || (areAllShown && sharedPx >= 0)) return layout.widthsPx
  return Object.fromEntries(
    shown.slice(0, count).map((column, at) => {
      const extraPx = Math.floor((sharedPx * (at + 1)) / count) - Math.floor((sharedPx * at) / count)
      return [column.id, widthOf(column, layout.widthsPx) + extraPx]
    }),
  )
}

/** Number of frozen columns that fit into a width; the others scroll. */
export function fittingFrozenCount<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  maxFrozenPx: number,
): number {
  let usedPx = 0
  const frozen = inShownOrder(columns, layout).slice(0, frozenIds(columns, layout).length)
  const firstBeyond = frozen.findIndex((column) => {
    usedPx += widthOf(column, layout.widthsPx)
    return usedPx > maxFrozenPx
  })
  return firstBeyond < 0 ? frozen.length : firstBeyond
}

function inShownOrder<Row>(columns: readonly GridColumn<Row>[], layout: GridLayout): readonly GridColumn<Row>[] {
  const byId = new Map(columns.map((column) => [column.id, column]))
  return shownColumns(columns, layout).ids.flatMap((id) => byId.get(id) ?? [])
}

export function endPx<Row>(place: PlacedColumn<Row> | undefined): number {
  return place ? place.startPx + place.widthPx : 0
}

export function visibleRange<Row>(places: readonly PlacedColumn<Row>[], fromPx: number, toPx: number) {
  const first = countWhile(places, (place) => endPx(place) <= fromPx)
  return {
    first,
    end: Math.max(
      first,
      countWhile(places, (place) => place.startPx < toPx),
    ),
  }
}

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
 * Moves a column to another position among the visible columns, not counting the column itself. Moving it between
 * frozen columns freezes it, and moving it out of them unfreezes it. Hidden columns stay after the column that they
 * followed.
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
    order: withHidden(shown, fullOrder(columns, layout), layout.hidden),
    frozen: shown.slice(0, isFrozen ? frozenOthers + 1 : frozenOthers),
  }
}

/** Inserts a new column next to another one. If the layout has no order, uses the current column order. */
export function withColumnBeside(layout: GridLayout, id: string, other: string, side: 'before' | 'after'): GridLayout {
  const beside = (ids: readonly string[]) => {
    const at = ids.indexOf(other)
    return at < 0 ? ids : ids.toSpliced(side === 'before' ? at : at + 1, 0, id)
  }
  const { order, frozen } = layout
  // A column inserted after the last frozen column isn't frozen.
  const isBetweenFrozen = frozen !== undefined && !(side === 'after' && frozen.at(-1) === other)
  return { ...layout, order: beside(order), ...(isBetweenFrozen && { frozen: beside(frozen) }) }
}

export function withFrozenUpTo<Row>(
  columns: readonly GridColumn<Row>[],
  layout: GridLayout,
  id: string | undefined,
): GridLayout {
  const { ids } = shownColumns(columns, layout)
  const frozen = ids.slice(0, id === undefined ? 0 : ids.indexOf(id) + 1)
  return { ...layout, order: withHidden(ids, fullOrder(columns, layout), layout.hidden), frozen }
}

function fullOrder<Row>(columns: readonly GridColumn<Row>[], layout: GridLayout): string[] {
  const ids = columns.map((column) => column.id)
  const known = new Set(ids)
  return [...new Set([...layout.order.filter((id) => known.has(id)), ...ids])]
}

/** Reinserts hidden columns into the visible order, each after the column that it followed. */
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
