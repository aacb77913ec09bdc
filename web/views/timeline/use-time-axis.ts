import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { dayNumber, dayText } from '#domain/views/dates/date-span.ts'
import { TIMELINE_SCALES, type TimelineZoom } from '#domain/views/dates/timeline-scale.ts'
import type { PointerAt } from '#web/ui/browser/pointer-drag.ts'
import { shownDay } from '../dates/shown-days.ts'
import type { ListingProps, ShownDays } from '../view-kind.ts'
import type { TimePlace } from '../dates/use-date-drag.ts'

/** Days on a continuous scale. */
export type Days = { readonly from: number; readonly to: number }

/** Share of the visible width that lies before the day that is scrolled to. */
const BEFORE = 0.3

/** In ms: scrolling has finished after this time without a scroll event. */
const SCROLL_END_MS = 120

const DAY_MINUTES = 1_440

/** In px per day: records are moved by hours only if these can be told apart. */
const MIN_PX_FOR_HOURS = 100

export type TimeAxis = ReturnType<typeof useTimeAxis>

type TimeAxisInput = {
  readonly days: ShownDays
  readonly onDays: ListingProps<unknown>['onDays']
  readonly zoom: TimelineZoom
  readonly scrollerRef: RefObject<HTMLElement | null>
  /** Scrolls with the rows. */
  readonly axisRef: RefObject<HTMLElement | null>
  /** Width of the titles, which cover the start of the axis. */
  readonly titlePx: number
  readonly widthPx: number
}

/** Maps days to horizontal positions. Only the days around a center can be scrolled to; scrolling to an end moves it. */
export function useTimeAxis({ days, onDays, zoom, scrollerRef, axisRef, titlePx, widthPx }: TimeAxisInput) {
  const { dayPx, reachDays } = TIMELINE_SCALES[zoom]
  const { shown, report } = useAddress(days, onDays)
  const [center, setCenter] = useState(shown)
  const origin = Math.floor(center) - reachDays
  const totalPx = reachDays * 2 * dayPx
  const visibleDays = Math.max(1, (widthPx - titlePx) / dayPx)
  const [visible, setVisible] = useState<Days>({ from: center, to: center })
  /** The day at the start of the visible part. */
  const firstDay = useRef(center - visibleDays * BEFORE)

  const readScroll = useCallback(() => {
    const scroller = scrollerRef.current
    if (!scroller || widthPx === 0) return
    const scrolledPx = Math.abs(scroller.scrollLeft)
    firstDay.current = origin + scrolledPx / dayPx
    if (axisRef.current) axisRef.current.scrollLeft = scroller.scrollLeft
  }, [scrollerRef, axisRef, origin, dayPx, widthPx])

  const settle = useCallback(() => {
    const from = firstDay.current
    const middle = from + visibleDays * BEFORE
    report(middle)
    setVisible({ from, to: from + visibleDays })
    const isNearEnd = Math.abs(middle - origin - reachDays) > reachDays * 0.7
    if (isNearEnd) setCenter(middle)
  }, [report, origin, reachDays, visibleDays])

  // Keeps the same days in sight when the zoom, the width or the center changes.
  const scale = useRef({ dayPx, visibleDays })
  useLayoutEffect(() => {
    const scroller = scrollerRef.current
    if (!scroller || widthPx === 0) return
    const before = scale.current
    const kept = firstDay.current + before.visibleDays * BEFORE
    if (before.dayPx !== dayPx || before.visibleDays !== visibleDays) firstDay.current = kept - visibleDays * BEFORE
    scale.current = { dayPx, visibleDays }
    scrollTo(scroller, (firstDay.current - origin) * dayPx)
    readScroll()
    setVisible({ from: firstDay.current, to: firstDay.current + visibleDays })
  }, [scrollerRef, origin, dayPx, visibleDays, widthPx, readScroll])

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onScroll = () => {
    readScroll()
    clearTimeout(timer.current)
    timer.current = setTimeout(settle, SCROLL_END_MS)
    // Ticks are drawn ahead; a long scroll needs more of them at once.
    const moved = Math.abs(firstDay.current - visible.from)
    if (moved > visibleDays / 2) setVisible({ from: firstDay.current, to: firstDay.current + visibleDays })
  }

  const goTo = (day: number) => {
    firstDay.current = day - visibleDays * BEFORE
    const scroller = scrollerRef.current
    if (!scroller) return
    const isReached = Math.abs(day - origin - reachDays) < reachDays * 0.9
    if (isReached) scrollTo(scroller, (firstDay.current - origin) * dayPx)
    else setCenter(day)
    setVisible({ from: firstDay.current, to: firstDay.current + visibleDays })
  }

  useFollow(shown, () => {
    if (Math.round(firstDay.current + visibleDays * BEFORE) !== shown) goTo(shown)
  })

  return {
    totalPx,
    visible,
    visibleDays,
    onScroll,
    goTo,
    /** Shows other days, with a history entry. */
    go: (day: number) => {
      goTo(day)
      report(day, 'push')
    },
    pxOf: (day: number) => (day - origin) * dayPx,
    placeAt: (at: PointerAt) => placeIn(scrollerRef.current, at, { firstDay: firstDay.current, titlePx, dayPx }),
  }
}

/** Follows the address, for example back to an earlier range. */
function useFollow(shown: number, follow: () => void): void {
  const followed = useRef(shown)
  useEffect(() => {
    if (followed.current === shown) return
    followed.current = shown
    follow()
  })
}

/** The day in the address, and a function that changes it. */
function useAddress(days: ShownDays, onDays: TimeAxisInput['onDays']) {
  const shown = dayNumber(shownDay(days))
  const latest = useRef({ shown, onDays })
  useEffect(() => {
    latest.current = { shown, onDays }
  })
  const report = useCallback((middle: number, step: 'replace' | 'push' = 'replace') => {
    const at = Math.round(middle)
    const day = dayText(at)
    if (day !== undefined && at !== latest.current.shown)
      latest.current.onDays({ day }, step === 'push' ? undefined : step)
  }, [])
  return { shown, report }
}

type Shown = { readonly firstDay: number; readonly titlePx: number; readonly dayPx: number }

function placeIn(scroller: HTMLElement | null, { xPx }: PointerAt, shown: Shown): TimePlace | undefined {
  if (!scroller) return undefined
  const { firstDay, titlePx, dayPx } = shown
  const { left, right } = scroller.getBoundingClientRect()
  const fromStart = document.dir === 'rtl' ? right - xPx : xPx - left
  const at = firstDay + (fromStart - titlePx) / dayPx
  if (dayPx < MIN_PX_FOR_HOURS) return { day: at, minute: null }
  const day = Math.floor(at)
  return { day, minute: Math.floor((at - day) * DAY_MINUTES) }
}

function scrollTo(scroller: HTMLElement, px: number): void {
  scroller.scrollLeft = document.dir === 'rtl' ? -px : px
}
