import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { assignSlots, clamp, drawnLines, type Span, visibleLines, windowLines } from '#web/ui/grid/rows/row-window.ts'

/**
 * Tallest spacer that every browser renders. Chromium is limited to 33,554,428 device pixels and Firefox to about 17.9
 * million, so this works up to a device scale of 3.
 */
export const MAX_SPACER_PX = 8_000_000

/**
 * Near the ends, one pixel of the scrollbar corresponds to one pixel of the list, so that both ends can be reached
 * exactly.
 */
const EDGE_PX = 400_000

/** In px: a longer move in a single event is treated as a scrollbar drag or a jump. */
const MIN_JUMP_PX = 2000

type ScrollScale = {
  readonly spacerPx: number
  readonly physicalRangePx: number
  /** Scroll range of the whole list; equals the physical range unless the list is taller than the spacer. */
  readonly virtualRangePx: number
  readonly edgePx: number
  readonly jumpPx: number
}

/** The browser's last scroll position and the corresponding offset in the list. */
export type ScrollPosition = { readonly physicalPx: number; readonly virtualPx: number }

export const SCROLL_START: ScrollPosition = { physicalPx: 0, virtualPx: 0 }

export function scrollScale(listPx: number, viewportPx: number): ScrollScale {
  const spacerPx = Math.min(listPx, MAX_SPACER_PX)
  const physicalRangePx = Math.max(0, spacerPx - viewportPx)
  return {
    spacerPx,
    physicalRangePx,
    virtualRangePx: Math.max(0, listPx - viewportPx),
    edgePx: Math.min(EDGE_PX, physicalRangePx / 4),
    jumpPx: Math.max(MIN_JUMP_PX, viewportPx * 2),
  }
}

function isScaled(scale: ScrollScale): boolean {
  return scale.virtualRangePx > scale.physicalRangePx
}

/** The list offset for a scrollbar position: exact near the ends, scaled in between. */
export function toVirtual(scale: ScrollScale, physicalPx: number): number {
  const physical = clamp(physicalPx, 0, scale.physicalRangePx)
  if (!isScaled(scale) || physical <= scale.edgePx) return physical

  const fromEnd = scale.physicalRangePx - physical
  if (fromEnd <= scale.edgePx) return scale.virtualRangePx - fromEnd
  return scale.edgePx + (physical - scale.edgePx) * stretch(scale)
}

export function toPhysical(scale: ScrollScale, virtualPx: number): number {
  const virtual = clamp(virtualPx, 0, scale.virtualRangePx)
  if (!isScaled(scale) || virtual <= scale.edgePx) return virtual

  const fromEnd = scale.virtualRangePx - virtual
  if (fromEnd <= scale.edgePx) return scale.physicalRangePx - fromEnd
  return scale.edgePx + (virtual - scale.edgePx) / stretch(scale)
}

/** The position after a scroll event: short moves apply exactly, long moves proportionally, and the ends snap. */
export function scrolledTo(scale: ScrollScale, from: ScrollPosition, physicalPx: number): ScrollPosition {
  const physical = clamp(physicalPx, 0, scale.physicalRangePx)
  if (!isScaled(scale)) return { physicalPx: physical, virtualPx: physical }

  const delta = physical - from.physicalPx
  if (Math.abs(delta) > scale.jumpPx) return { physicalPx: physical, virtualPx: toVirtual(scale, physical) }
  return { physicalPx: physical, virtualPx: clamp(from.virtualPx + delta, 0, scale.virtualRangePx) }
}

export function positionAt(scale: ScrollScale, virtualPx: number): ScrollPosition {
  const virtual = clamp(virtualPx, 0, scale.virtualRangePx)
  return { physicalPx: toPhysical(scale, virtual), virtualPx: virtual }
}

/** Keeps the list offset and corrects the scrollbar position; applied when scrolling stops. */
export function settled(scale: ScrollScale, position: ScrollPosition): ScrollPosition {
  return positionAt(scale, position.virtualPx)
}

/**
 * Whether the scrollbar must be corrected immediately, because one more short move would reach its end before the
 * list's end, or vice versa.
 */
export function mustSettleNow(scale: ScrollScale, position: ScrollPosition): boolean {
  if (!isScaled(scale)) return false
  const expectedPx = toPhysical(scale, position.virtualPx)
  if (Math.abs(expectedPx - position.physicalPx) < 1) return false

  const toNearestEnd = Math.min(position.physicalPx, scale.physicalRangePx - position.physicalPx)
  const hasListEnded = position.virtualPx <= 0 || position.virtualPx >= scale.virtualRangePx
  return hasListEnded || toNearestEnd < scale.jumpPx
}

function stretch(scale: ScrollScale): number {
  return (scale.virtualRangePx - 2 * scale.edgePx) / (scale.physicalRangePx - 2 * scale.edgePx)
}

/** In ms: scrolling is considered finished after this time without a scroll event. */
const SCROLL_END_MS = 120

export type GridViewportInput = {
  readonly scrollerRef: RefObject<HTMLDivElement | null>
  readonly lineCount: number
  readonly rowPx: number
  readonly viewportPx: number
  /** If false, renders every line, as in a paginated list, so that the browser's find and print include all of them. */
  readonly isWindowed: boolean
  /** Identifies the list; a new key scrolls to the top. */
  readonly listKey: string
  /** The active cell's line, which is always rendered. */
  readonly keptLine: number | undefined
}

export type GridViewport = {
  readonly spacerPx: number
  readonly drawnLines: readonly number[]
  readonly span: Span
  readonly slotOf: ReadonlyMap<number, number>
  readonly topOf: (line: number) => number
  readonly isScrolling: boolean
  readonly linesPerPage: number
  readonly reveal: (line: number) => void
}

type DrawnRange = { readonly span: Span; readonly shiftPx: number; readonly isScrolling: boolean }

const EMPTY_RANGE: DrawnRange = { span: { first: 0, end: 0 }, shiftPx: 0, isScrolling: false }

/** Maps scroll events to the lines to render. Scrolling re-renders only if new lines are needed. */
export function useGridViewport(input: GridViewportInput): GridViewport {
  const { lineCount, rowPx, viewportPx, isWindowed, keptLine } = input
  const scale = useMemo(() => scrollScale(lineCount * rowPx, viewportPx), [lineCount, rowPx, viewportPx])
  const { drawn, reveal } = useScrolling(input, scale)
  const lines = useMemo(
    () => windowLines(isWindowed ? drawn.span : { first: 0, end: lineCount }, keptLine),
    [isWindowed, drawn.span, lineCount, keptLine],
  )
  const slotOf = useSlots(lines)
  const highestTop = Math.max(0, scale.spacerPx - rowPx)
  return {
    spacerPx: scale.spacerPx,
    drawnLines: lines,
    span: drawn.span,
    slotOf,
    // The active line may lie beyond the spacer; if so, it is placed out of view at the spacer's nearer end.
    topOf: (line) => Math.min(Math.max(line * rowPx - drawn.shiftPx, 0), highestTop),
    isScrolling: drawn.isScrolling,
    linesPerPage: Math.max(1, Math.floor(viewportPx / rowPx) - 1),
    reveal,
  }
}

function useScrolling({ scrollerRef, lineCount, rowPx, viewportPx, listKey }: GridViewportInput, scale: ScrollScale) {
  const position = useRef(SCROLL_START)
  const [drawn, setDrawn] = useState(EMPTY_RANGE)

  const show = useCallback(
    (next: ScrollPosition, isScrolling: boolean) => {
      const movedLines = (next.virtualPx - position.current.virtualPx) / rowPx
      position.current = next
      const visible = visibleLines({ offsetPx: next.virtualPx, viewportPx, rowPx, lineCount })
      setDrawn((before) => {
        const span = drawnLines({ visible, drawn: before.span, lineCount, movedLines })
        const shiftPx = next.virtualPx - next.physicalPx
        const isSame = span === before.span && shiftPx === before.shiftPx && isScrolling === before.isScrolling
        return isSame ? before : { span, shiftPx, isScrolling }
      })
    },
    [lineCount, rowPx, viewportPx],
  )

  /** Reads the scroll position back after setting it, because browsers round it. */
  const moveTo = useCallback(
    (target: ScrollPosition, isScrolling: boolean) => {
      const scroller = scrollerRef.current
      if (!scroller) return
      if (Math.abs(scroller.scrollTop - target.physicalPx) >= 1) scroller.scrollTop = target.physicalPx
      show({ physicalPx: scroller.scrollTop, virtualPx: target.virtualPx }, isScrolling)
    },
    [scrollerRef, show],
  )

  const shown = useRef({ listKey, rowPx })
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { listKey, rowPx }
    // Keeps the same line at the top when the row height changes.
    const offsetPx = (position.current.virtualPx * rowPx) / before.rowPx
    moveTo(positionAt(scale, before.listKey === listKey ? offsetPx : 0), false)
  }, [scale, listKey, rowPx, moveTo])

  useScrollEvents(scrollerRef, {
    onScroll: (scrollTop) => {
      const next = scrolledTo(scale, position.current, scrollTop)
      if (mustSettleNow(scale, next)) moveTo(settled(scale, next), true)
      else show(next, true)
    },
    onRest: (scrollTop) => {
      // The browser has scrolled further and reports this in the next frame, so the list hasn't settled yet.
      if (Math.abs(scrollTop - position.current.physicalPx) >= 1) return
      moveTo(settled(scale, position.current), false)
    },
  })

  const reveal = useCallback(
    (line: number) => {
      const top = line * rowPx
      const offset = position.current.virtualPx
      const wanted = Math.min(Math.max(offset, top + rowPx - viewportPx), top)
      if (wanted !== offset) moveTo(positionAt(scale, wanted), false)
    },
    [scale, rowPx, viewportPx, moveTo],
  )
  return { drawn, reveal }
}

function useSlots(lines: readonly number[]): ReadonlyMap<number, number> {
  const committed = useRef<ReadonlyMap<number, number>>(new Map())
  const slots = useMemo(() => assignSlots(committed.current, lines), [lines])
  useLayoutEffect(() => {
    committed.current = slots
  }, [slots])
  return slots
}

function useScrollEvents(
  scrollerRef: RefObject<HTMLDivElement | null>,
  handlers: { onScroll: (scrollTop: number) => void; onRest: (scrollTop: number) => void },
): void {
  const latest = useLatest(handlers)
  useEffect(() => {
    const scroller = scrollerRef.current
    if (!scroller) return undefined
    let restTimer: ReturnType<typeof setTimeout> | undefined
    const tracker = createScrollTracker(scroller)
    const onScroll = () => {
      clearTimeout(restTimer)
      restTimer = setTimeout(() => {
        tracker.end()
        latest.current.onRest(scroller.scrollTop)
      }, SCROLL_END_MS)
      tracker.track()
      latest.current.onScroll(scroller.scrollTop)
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(restTimer)
      tracker.end()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [scrollerRef, latest])
}

/**
 * Marks vertical scrolling, during which CSS offsets frozen cells, because `position: sticky` would create a layer for
 * every line.
 */
function createScrollTracker(scroller: HTMLElement) {
  let scrollLeftPx = scroller.scrollLeft
  let hasScrolledSideways = false
  return {
    track: () => {
      const isSideways = scroller.scrollLeft !== scrollLeftPx
      scrollLeftPx = scroller.scrollLeft
      if (isSideways) hasScrolledSideways = true
      if (hasScrolledSideways) delete scroller.dataset['rolling']
      else if (scroller.dataset['rolling'] === undefined) {
        scroller.style.setProperty('--grid-scroll-left', `${Math.abs(scrollLeftPx)}px`)
        scroller.dataset['rolling'] = ''
      }
    },
    end: () => {
      delete scroller.dataset['rolling']
      hasScrolledSideways = false
    },
  }
}
