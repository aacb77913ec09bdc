import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { clampWidth, endPx, fittedWidths, fittingFrozenCount, placeColumns, visibleRange } from './column-layout.ts'
import { COLUMN_WIDTH_PX, DEFAULT_LAYOUT, type GridColumn, type GridLayout, type PlacedColumn } from './grid-column.ts'

type GridColumnsInput<Row> = {
  readonly columns: readonly GridColumn<Row>[]
  readonly layout: GridLayout | undefined
  readonly onLayout: ((layout: GridLayout) => void) | undefined
  readonly widthPx: number
  readonly visiblePx: number
  readonly selectPx: number
  /** Width of the control after the last header. */
  readonly endWidthPx: number
  readonly firstIndex: number
}

/**
 * The width that columns are fitted to; a side panel doesn't change it, because the panel covers columns instead of
 * moving them.
 */
function useFitWidth(visiblePx: number): number {
  const [fit, setFit] = useState({ visiblePx, windowPx: window.innerWidth })
  const isRefitted = visiblePx > fit.visiblePx || window.innerWidth !== fit.windowPx
  if (isRefitted) setFit({ visiblePx, windowPx: window.innerWidth })
  return isRefitted ? visiblePx : fit.visiblePx
}

export function useGridColumns<Row>(input: GridColumnsInput<Row>) {
  const { columns, layout = DEFAULT_LAYOUT, onLayout, firstIndex, endWidthPx } = input
  const availablePx = useFitWidth(input.visiblePx) - input.selectPx
  const saved = useMemo(
    () => fittedWidths(columns, layout, availablePx, endWidthPx),
    [columns, layout, availablePx, endWidthPx],
  )
  const [resized, setResized] = useState({ saved, widthsPx: saved })
  // Widths set by dragging apply until the saved layout changes.
  const widthsPx = resized.saved === saved ? resized.widthsPx : saved
  // Uses the saved widths, so that resizing doesn't change which columns are frozen.
  const frozenCount = fittingFrozenCount(columns, layout, maxFrozenWidth(input.widthPx, input.selectPx))
  const placed = useMemo(
    () => placeColumns(columns, { layout, widthsPx, frozenCount, firstIndex }),
    [columns, layout, widthsPx, frozenCount, firstIndex],
  )
  /** Calls `onLayout` only with the final width after dragging. */
  const setWidth = useCallback(
    (columnId: string, wantedPx: number, isFinal: boolean): void => {
      const column = columns.find(({ id }) => id === columnId)
      if (!column) return
      const width = { [columnId]: Math.round(clampWidth(column, wantedPx)) }
      setResized((before) => ({
        saved,
        widthsPx: { ...(before.saved === saved ? before.widthsPx : saved), ...width },
      }))
      if (isFinal) onLayout?.({ ...layout, widthsPx: { ...saved, ...width } })
    },
    [columns, layout, saved, onLayout],
  )
  return useMemo(() => ({ ...placed, setWidth }), [placed, setWidth])
}

/**
 * Maximum fraction of the grid that frozen columns may use, so that other columns can still scroll on narrow screens.
 */
const MAX_FROZEN_SHARE = 0.6

function maxFrozenWidth(widthPx: number, selectPx: number): number {
  return widthPx === 0 ? COLUMN_WIDTH_PX.max : widthPx * MAX_FROZEN_SHARE - selectPx
}

/** Grids with at most this many columns render all of them; the limit is lower if rows are virtualized. */
const MAX_UNWINDOWED_COLUMNS = { page: 12, window: 5 } as const

/** Number of additional columns rendered on each side. */
const OVERSCAN = 1

type ColumnWindowInput<Row> = {
  readonly center: readonly PlacedColumn<Row>[]
  /** Column that stays rendered when scrolled out of view. */
  readonly activeColumn: number
  readonly paneStartPx: number
  readonly widthPx: number
  readonly kind: 'page' | 'window'
}

/** The scrolling columns to render. Returns the same list until the visible range changes. */
export function useColumnWindow<Row>(
  scrollerRef: RefObject<HTMLElement | null>,
  { center, activeColumn, paneStartPx, widthPx, kind }: ColumnWindowInput<Row>,
): readonly PlacedColumn<Row>[] {
  const isWindowed = center.length > MAX_UNWINDOWED_COLUMNS[kind]
  const [{ first, end }, setRange] = useState({ first: 0, end: 0 })
  const update = useCallback(() => {
    if (!scrollerRef.current || !isWindowed) return
    const fromPx = Math.abs(scrollerRef.current.scrollLeft)
    const next = visibleRange(center, fromPx, fromPx + Math.max(0, widthPx - paneStartPx))
    setRange((before) => (before.first === next.first && before.end === next.end ? before : next))
  }, [scrollerRef, center, isWindowed, paneStartPx, widthPx])
  useLayoutEffect(update, [update])
  useEffect(() => {
    const scroller = scrollerRef.current
    scroller?.addEventListener('scroll', update, { passive: true })
    return () => scroller?.removeEventListener('scroll', update)
  }, [scrollerRef, update])

  const from = first - OVERSCAN
  const to = end + OVERSCAN
  const activePosition = center.findIndex(({ index }) => index === activeColumn)
  const extra = activePosition >= from && activePosition < to ? -1 : activePosition
  return useMemo(
    () => (isWindowed ? center.filter((_, at) => (at >= from && at < to) || at === extra) : center),
    [center, isWindowed, from, to, extra],
  )
}

/** `scrollLeft` decreases from 0 in right-to-left layouts. */
const scrollSign = (scroller: HTMLElement): 1 | -1 => (getComputedStyle(scroller).direction === 'rtl' ? -1 : 1)

export function revealEnd(scroller: HTMLElement): void {
  scroller.scrollLeft = scroller.scrollWidth * scrollSign(scroller)
}

export function revealColumn<Row>(scroller: HTMLElement, place: PlacedColumn<Row>, paneStartPx: number): void {
  const sign = scrollSign(scroller)
  const fromPx = scroller.scrollLeft * sign
  const paneWidthPx = scroller.clientWidth - paneStartPx
  const wantedPx = Math.min(Math.max(fromPx, endPx(place) - paneWidthPx), place.startPx)
  if (wantedPx !== fromPx) scroller.scrollLeft = wantedPx * sign
}
