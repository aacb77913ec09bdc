import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

type VirtualListInput = {
  readonly count: number
  readonly scroller: RefObject<HTMLElement | null>
  /** Height of an item before it is measured, in px. */
  readonly estimatePx: number
  readonly gapPx: number
  /** False while the list is out of sight. */
  readonly isOn: boolean
}

/** Number of items rendered beyond each edge. */
const OVERSCAN = 4

/**
 * Determines the visible items of a scrolling list whose items have different heights. Each rendered item needs
 * `measureRef` and its index in `data-index`, and is moved to `start`.
 */
export function useVirtualList({ count, scroller, estimatePx, gapPx, isOn }: VirtualListInput) {
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatePx,
    gap: gapPx,
    overscan: OVERSCAN,
    paddingStart: gapPx / 2,
    paddingEnd: gapPx,
    enabled: isOn,
    // Otherwise, each scroll event would render synchronously.
    useFlushSync: false,
  })
  return { items: list.getVirtualItems(), totalPx: list.getTotalSize(), measureRef: list.measureElement }
}
