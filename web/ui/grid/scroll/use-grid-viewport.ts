import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { assignSlots, drawnLines, type Span, visibleLines, windowLines } from '#web/ui/grid/rows/row-window.ts'

/**
 * The tallest spacer that every browser draws. Chromium stops at 33,554,428 device pixels and Firefox at about 17.9
 * million, so this holds up to a device scale of 3 with room to spare.
 */
export const MAX_SPACER_PX = 8_000_000

/** Near either end one pixel of the scroll bar is one pixel of the list, so that arriving is exact and gentle. */
const EDGE_PX = 400_000

/** A move longer than this in one event is a dragged thumb or a jump; anything shorter is a wheel, a finger or a key. */
const MIN_JUMP_PX = 2000

/** Everything the mapping between the browser's scroll range and the whole list depends on. */
type ScrollScale = {
  /** The spacer's height: what the browser believes the list is tall. */
  readonly spacerPx: number
  /** How far the browser can scroll. */
  readonly physicalRangePx: number
  /** How far the whole list can scroll; equals the physical range until the list outgrows the spacer. */
  readonly virtualRangePx: number
  readonly edgePx: number
  readonly jumpPx: number
}

/** Where the list stands: what the browser was last told or told us, and the true offset into the list. */
export type ScrollPosition = { readonly physicalPx: number; readonly virtualPx: number }

/** The list before anything scrolled. */
export const SCROLL_START: ScrollPosition = { physicalPx: 0, virtualPx: 0 }

/** The scale of a list of this height in a viewport of that height. */
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

/** Whether the list is taller than its spacer. */
function isScaled(scale: ScrollScale): boolean {
  return scale.virtualRangePx > scale.physicalRangePx
}

/** The list offset that belongs to a place of the scroll bar: exact near the ends, stretched between them. */
export function toVirtual(scale: ScrollScale, physicalPx: number): number {
  const physical = clamp(physicalPx, 0, scale.physicalRangePx)
  if (!isScaled(scale) || physical <= scale.edgePx) return physical

  const fromEnd = scale.physicalRangePx - physical
  if (fromEnd <= scale.edgePx) return scale.virtualRangePx - fromEnd
  return scale.edgePx + (physical - scale.edgePx) * stretch(scale)
}

/** The place of the scroll bar that belongs to a list offset: the inverse of `toVirtual`. */
export function toPhysical(scale: ScrollScale, virtualPx: number): number {
  const virtual = clamp(virtualPx, 0, scale.virtualRangePx)
  if (!isScaled(scale) || virtual <= scale.edgePx) return virtual

  const fromEnd = scale.virtualRangePx - virtual
  if (fromEnd <= scale.edgePx) return scale.physicalRangePx - fromEnd
  return scale.edgePx + (virtual - scale.edgePx) / stretch(scale)
}

/** What follows from the browser having scrolled: short ways go one to one, long ones in proportion, ends snap. */
export function scrolledTo(scale: ScrollScale, from: ScrollPosition, physicalPx: number): ScrollPosition {
  const physical = clamp(physicalPx, 0, scale.physicalRangePx)
  if (!isScaled(scale)) return { physicalPx: physical, virtualPx: physical }

  const delta = physical - from.physicalPx
  if (Math.abs(delta) > scale.jumpPx) return { physicalPx: physical, virtualPx: toVirtual(scale, physical) }
  return { physicalPx: physical, virtualPx: clamp(from.virtualPx + delta, 0, scale.virtualRangePx) }
}

/** The position that shows a list offset, for keys and "scroll to row", which write the offset themselves. */
export function positionAt(scale: ScrollScale, virtualPx: number): ScrollPosition {
  const virtual = clamp(virtualPx, 0, scale.virtualRangePx)
  return { physicalPx: toPhysical(scale, virtual), virtualPx: virtual }
}

/** The same place of the list with the scroll bar put where it belongs: done when the scrolling rests. */
export function settled(scale: ScrollScale, position: ScrollPosition): ScrollPosition {
  return positionAt(scale, position.virtualPx)
}

/**
 * Whether the scroll bar must be put right at once, because one more short move would hit an end of the browser's range
 * while the list goes on, or the other way round.
 */
export function mustSettleNow(scale: ScrollScale, position: ScrollPosition): boolean {
  if (!isScaled(scale)) return false
  const belongs = toPhysical(scale, position.virtualPx)
  if (Math.abs(belongs - position.physicalPx) < 1) return false

  const toNearestEnd = Math.min(position.physicalPx, scale.physicalRangePx - position.physicalPx)
  const hasListEnded = position.virtualPx <= 0 || position.virtualPx >= scale.virtualRangePx
  return hasListEnded || toNearestEnd < scale.jumpPx
}

function stretch(scale: ScrollScale): number {
  return (scale.virtualRangePx - 2 * scale.edgePx) / (scale.physicalRangePx - 2 * scale.edgePx)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/** Scrolling counts as over after this long without a scroll event. */
const SCROLL_END_MS = 120

/** What the view depends on. */
export type GridViewportInput = {
  readonly scrollerRef: RefObject<HTMLDivElement | null>
  readonly lineCount: number
  readonly rowPx: number
  /** The height in which rows are seen: the scroller without the header that stays at its top. */
  readonly viewportPx: number
  /** False draws every line, as a page does, so that the browser's own search and printing find them all. */
  readonly isWindowed: boolean
  /** Names the list: another filter, order or page begins at its top. */
  readonly listKey: string
  /** The line of the active cell, which stays drawn wherever it is. */
  readonly keptLine: number | undefined
}

/** Which lines are drawn and where. */
export type GridViewport = {
  readonly spacerPx: number
  readonly drawnLines: readonly number[]
  /** The run of lines in and around sight, without the active one that waits elsewhere. */
  readonly span: Span
  readonly slotOf: ReadonlyMap<number, number>
  /** A line's distance from the top of the spacer. */
  readonly topOf: (line: number) => number
  readonly isScrolling: boolean
  readonly linesPerPage: number
  /** Scrolls just so far that a line is in full sight. */
  readonly reveal: (line: number) => void
}

type DrawnRange = { readonly span: Span; readonly shiftPx: number; readonly isScrolling: boolean }

const EMPTY_RANGE: DrawnRange = { span: { first: 0, end: 0 }, shiftPx: 0, isScrolling: false }

/**
 * Turns scrolling into lines to draw. The position lives outside React's state: a scroll that needs no new line draws
 * nothing, the browser moves what is there.
 */
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
    // The kept line may lie beyond what the spacer reaches; it waits at the nearer end, out of sight.
    topOf: (line) => Math.min(Math.max(line * rowPx - drawn.shiftPx, 0), highestTop),
    isScrolling: drawn.isScrolling,
    linesPerPage: Math.max(1, Math.floor(viewportPx / rowPx) - 1),
    reveal,
  }
}

/** Follows the scroll bar and writes it: what is drawn for where the list stands. */
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

  /** Writes the scroll bar and takes over what the browser made of it, which rounds to its own pixels. */
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
    // With rows of another height the same line stays at the top.
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
      // The browser has gone on and tells of it with its next frame: the list does not rest there.
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

/** The place in the pool of each drawn line, remembered from one drawing to the next. */
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
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const scroller = scrollerRef.current
    if (!scroller) return undefined
    let restTimer: ReturnType<typeof setTimeout> | undefined
    const rolling = createRolling(scroller)
    const onScroll = () => {
      clearTimeout(restTimer)
      restTimer = setTimeout(() => {
        rolling.end()
        latest.current.onRest(scroller.scrollTop)
      }, SCROLL_END_MS)
      rolling.note()
      latest.current.onScroll(scroller.scrollTop)
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(restTimer)
      rolling.end()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [scrollerRef])
}

/**
 * Tells the style sheet that lines roll by and nothing moves sideways: then what is frozen need not be held in place by
 * the browser, which would make a layer of it in every line. A scroll that also goes sideways is none of these.
 */
function createRolling(scroller: HTMLElement) {
  let asidePx = scroller.scrollLeft
  let hasGoneAside = false
  return {
    note: () => {
      const isAside = scroller.scrollLeft !== asidePx
      asidePx = scroller.scrollLeft
      if (isAside) hasGoneAside = true
      if (hasGoneAside) delete scroller.dataset['rolling']
      else if (scroller.dataset['rolling'] === undefined) {
        scroller.style.setProperty('--grid-aside', `${Math.abs(asidePx)}px`)
        scroller.dataset['rolling'] = ''
      }
    },
    end: () => {
      delete scroller.dataset['rolling']
      hasGoneAside = false
    },
  }
}
