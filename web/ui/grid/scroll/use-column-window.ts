import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useMemo } from 'react'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'

/**
 * Grids with no more columns than this draw them all: cheaper than watching them come and go. Where lines come and go
 * all the time, each column out of sight costs more.
 */
const MAX_UNWINDOWED_COLUMNS = { page: 12, window: 5 } as const

/** The scrolling columns to draw: those in sight, one more on each side, and the one that holds the active cell. */
export function useColumnWindow<Row>(
  scrollerRef: RefObject<HTMLDivElement | null>,
  input: {
    readonly center: readonly PlacedColumn<Row>[]
    readonly activeColumn: number
    /** Where they begin: what is frozen stands before them. */
    readonly paneStartPx: number
    readonly kind: 'page' | 'window'
  },
): readonly PlacedColumn<Row>[] {
  const { center, activeColumn, paneStartPx, kind } = input
  const kept = center.findIndex((place) => place.index === activeColumn)
  const estimateSize = useCallback((index: number) => center[index]?.widthPx ?? 0, [center])
  // Stable, because another function here makes the virtualizer hand out new items and every row draw anew.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (kept < 0 || indexes.includes(kept)) return indexes
      return [...indexes, kept].toSorted((a, b) => a - b)
    },
    [kept],
  )
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    horizontal: true,
    count: center.length,
    getScrollElement: () => scrollerRef.current,
    estimateSize,
    rangeExtractor,
    paddingStart: paneStartPx,
    overscan: 1,
    isRtl: document.dir === 'rtl',
    useFlushSync: false,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, center])

  const drawn = virtualizer.getVirtualItems()
  return useMemo(() => {
    if (center.length <= MAX_UNWINDOWED_COLUMNS[kind]) return center
    return drawn.flatMap(({ index }) => center[index] ?? [])
  }, [center, drawn, kind])
}

/** Scrolls sideways just so far that a column stands in full sight beside the frozen ones. */
export function revealColumn<Row>(scroller: HTMLElement, place: PlacedColumn<Row>, paneStartPx: number): void {
  // Right-to-left scrollers count from 0 downwards.
  const sign = getComputedStyle(scroller).direction === 'rtl' ? -1 : 1
  const at = scroller.scrollLeft * sign
  const paneWidthPx = scroller.clientWidth - paneStartPx
  const wanted = Math.min(Math.max(at, place.startPx + place.widthPx - paneWidthPx), place.startPx)
  if (wanted !== at) scroller.scrollLeft = wanted * sign
}
