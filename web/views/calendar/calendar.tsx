import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { CalendarOptions } from '#domain/views/dates/date-fields.ts'
import { type DateKind, dayNumber, dayText } from '#domain/views/dates/date-span.ts'
import {
  CALENDAR_PERIODS,
  type CalendarPeriod,
  type DayRange,
  daysInSight,
  shiftPeriod,
} from '#domain/views/dates/periods.ts'
import { keyInTextDirection } from '#web/ui/shortcuts/shortcuts.tsx'
import { dayLabel, dayRangeLabel, FULL_DAY, today } from '../dates/date-texts.ts'
import { datedFieldsOf, FIRST_WEEKDAY } from '../dates/dated-records.ts'
import { NoDateField } from '../dates/date-fields-form.tsx'
import { type DatedList, runUndoKey, useDateActions } from '../dates/use-date-actions.ts'
import type { PointerAt } from '#web/ui/browser/pointer-drag.ts'
import { changePeriod, shownDay, shownPeriod } from '../dates/shown-days.ts'
import { type TimePlace, useDateDrag } from '../dates/use-date-drag.ts'
import { useKeepFocus } from '../dates/use-keep-focus.ts'
import type { ListingProps } from '../view-kind.ts'
import { DayPanel, DaysBody, HoursBody, WeeksBody } from './calendar-bodies.tsx'
import { CalendarToolbar } from './calendar-toolbar.tsx'
import { HOUR_PX } from './hours.tsx'
import { UndatedButton, UndatedPanel } from './undated-records.tsx'
import type { CalendarScene } from './use-calendar-records.ts'
import '../dates/dates.css'
import './calendar.css'

export function Calendar(props: ListingProps<CalendarOptions>) {
  const fields = datedFieldsOf(props.collection, props.options)
  return fields ? (
    <DatedCalendar key={fields.start.id} {...props} fields={fields} />
  ) : (
    <NoDateField
      collection={props.collection}
      fields={props.options}
      onChange={(next) => props.onOptions({ ...props.options, ...next })}
    />
  )
}

/** The day in the address, shown before the address changes, so that the next key press starts from it. */
function useShownDay({ days, onDays }: Pick<DatedList<never>, 'days' | 'onDays'>, period: CalendarPeriod) {
  const [held, setHeld] = useState(() => stateOf(days.day, shownDay(days)))
  const current = held.address === days.day ? held : stateOf(days.day, shownDay(days))
  if (current !== held) setHeld(current)
  const go = (next: string, step?: 'replace') => {
    setHeld(stateOf(days.day, next))
    changePeriod({ days, onDays }, period, { day: next, period }, step)
  }
  const setActiveDay = (activeDay: number) => setHeld((before) => ({ ...before, activeDay }))
  return { ...current, go, setActiveDay }
}

const stateOf = (address: string | null, day: string) => ({ address, day, activeDay: dayNumber(day) })

/** On a phone, a calendar is a list of days. */
const periodOn = (period: CalendarPeriod, isNarrow: boolean): CalendarPeriod =>
  isNarrow && period !== 'day' ? 'agenda' : period

function DatedCalendar(list: DatedList<CalendarOptions>) {
  const { options, isNarrow, onOptions } = list
  const [isUndatedShown, setUndatedShown] = useState(false)
  const [listed, setListed] = useState<{ readonly day: number; readonly button: HTMLElement }>()
  const rootRef = useRef<HTMLDivElement>(null)
  const { scene, hasHours, handlers } = useCalendar(list, rootRef)
  const { period, day, range, drag, go } = scene
  const setPeriod = (next: CalendarPeriod, on = day) => {
    changePeriod(list, period, { day: on, period: next })
    onOptions({ ...options, period: next })
  }
  const isWeeks = period === 'month' || period === 'week'
  const Body = hasHours ? HoursBody : isWeeks ? WeeksBody : DaysBody
  return (
    <div className="calendar" ref={rootRef} data-period={period} data-dragging={drag.moving?.by} {...handlers}>
      <CalendarToolbar
        title={titleOf(period, day, range)}
        period={period}
        isNarrow={isNarrow}
        onPeriod={setPeriod}
        onToday={() => go(today())}
        onStep={(by) => go(shiftPeriod(period, day, by))}
      >
        <UndatedButton scene={scene} isShown={isUndatedShown} onToggle={() => setUndatedShown(!isUndatedShown)} />
      </CalendarToolbar>
      <div className="calendar-body">
        <Body
          scene={scene}
          onDay={(on) => setPeriod('day', dayText(on))}
          onMore={(on, button) => setListed({ day: on, button })}
        />
        {isUndatedShown && <UndatedPanel scene={scene} onClose={() => setUndatedShown(false)} />}
      </div>
      {listed && <DayPanel scene={scene} {...listed} onClose={() => setListed(undefined)} />}
      <span role="status" className="visually-hidden">
        {drag.message}
      </span>
    </div>
  )
}

/** The days in sight, the records that are moved, and the keyboard. */
function useCalendar(list: DatedList<CalendarOptions>, rootRef: RefObject<HTMLElement | null>) {
  const { collection, options, fields, isNarrow } = list
  const period = periodOn(shownPeriod(CALENDAR_PERIODS, list.days, options.period), isNarrow)
  const { day, activeDay, go, setActiveDay } = useShownDay(list, period)
  const range = daysInSight(period, day, FIRST_WEEKDAY)
  const hasHours = showsHours(period, fields.kind, isNarrow)
  const actions = useDateActions(list)
  const drag = useDateDrag({
    collection,
    fields,
    placeAt: (at) => placeAt(rootRef.current, at),
    perLine: hasHours ? { days: 0, minutes: 15 } : { days: 7, minutes: 0 },
    scroller: () => rootRef.current?.querySelector<HTMLElement>('.hours-scroller, .calendar-scroller'),
    onDrop: actions.drop,
  })
  const reach = (at: number) => {
    const text = dayText(at)
    if (text === undefined) return
    if (at >= range.first && at < range.first + range.count) setActiveDay(at)
    else go(text, 'replace')
  }
  const numberOf = (at: number) =>
    rootRef.current?.querySelector<HTMLElement>(`[data-day="${at}"] [data-stop], [data-day="${at}"] .event`)
  useKeepFocus({ rootRef, fields, moving: drag.moving, onReach: reach, fallback: () => numberOf(activeDay) })
  const focusNext = useFocusNextDay(() => numberOf(activeDay))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (drag.onKey(event) || event.defaultPrevented || runUndoKey(event, actions)) return
    if (stepInList(event)) return event.preventDefault()
    const next = stepOf(event, { activeDay, period, day, range, hasHours })
    if (next === undefined) return
    event.preventDefault()
    focusNext()
    reach(next)
  }
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const on = target.closest<HTMLElement>('[data-day]')?.dataset['day']
    if (on !== undefined) setActiveDay(Number(on))
  }
  const scene: CalendarScene = { ...list, period, day, range, activeDay, drag, actions, go }
  return { scene, hasHours, handlers: { onKeyDown, onFocus } }
}

/** Focuses the active day after the next render. */
function useFocusNextDay(find: () => HTMLElement | null | undefined): () => void {
  const isDue = useRef(false)
  useLayoutEffect(() => {
    if (isDue.current) find()?.focus()
    isDue.current = false
  })
  return () => {
    isDue.current = true
  }
}

/** The day under the pointer or nearest to it, and the minute in the hours of days; undefined in a list of days. */
function placeAt(root: HTMLElement | null, { xPx, yPx }: PointerAt): TimePlace | undefined {
  const rows = [...(root?.querySelectorAll<HTMLElement>('.calendar-week, .hours-days') ?? [])]
  // Scrolled hours begin above the part of them that is visible.
  const isBelow = (row: HTMLElement) => yPx >= (row.closest('.hours-scroller') ?? row).getBoundingClientRect().top
  const row = rows.findLast(isBelow) ?? rows[0]
  const days = row?.querySelectorAll<HTMLElement>('[data-day]') ?? []
  if (!row || days.length === 0) return undefined
  const { left, right, top, width } = row.getBoundingClientRect()
  const dayPx = width / days.length
  if (xPx > right + dayPx || xPx < left - dayPx) return undefined
  const column = Math.floor((document.dir === 'rtl' ? right - xPx : xPx - left) / dayPx)
  const day = Number(days[Math.max(0, Math.min(column, days.length - 1))]?.dataset['day'])
  const minute = row.matches('.hours-days') ? Math.floor(((yPx - top) / HOUR_PX) * 60) : null
  return { day, minute: minute && Math.max(0, Math.min(minute, 1_439)) }
}

/** Times of day have a place of their own, unless there is too little room. */
const showsHours = (period: CalendarPeriod, kind: DateKind, isNarrow: boolean): boolean =>
  kind === 'date-time' && !isNarrow && (period === 'week' || period === 'day')

/** Moves between the records of a list of days; returns whether the key was used. */
function stepInList({ key, target }: KeyboardEvent<HTMLElement>): boolean {
  const event = target instanceof Element ? target.closest<HTMLElement>('.calendar-agenda .event') : null
  const events = [...(event?.closest('.calendar-agenda')?.querySelectorAll<HTMLElement>('.event') ?? [])]
  if (!event) return false
  const at = events.indexOf(event)
  const steps: { readonly [key: string]: number } = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: events.length - 1,
  }
  const next = steps[key]
  if (next === undefined) return false
  events[next]?.focus()
  return true
}

type Place = Pick<CalendarScene, 'activeDay' | 'period' | 'day' | 'range'> & { readonly hasHours: boolean }

/** The day that a key leads to. */
function stepOf(event: KeyboardEvent<HTMLElement>, place: Place): number | undefined {
  const { activeDay, period, day, range, hasHours } = place
  const { target, altKey, ctrlKey, metaKey, shiftKey } = event
  if (altKey || ctrlKey || metaKey || shiftKey || target instanceof HTMLInputElement) return undefined
  const isInDay = target instanceof Element && target.closest('[data-day]:not(section)') !== null
  if (!isInDay) return undefined
  switch (keyInTextDirection(event.key)) {
    case 'ArrowLeft':
      return activeDay - 1
    case 'ArrowRight':
      return activeDay + 1
    case 'ArrowUp':
      return hasHours ? undefined : activeDay - 7
    case 'ArrowDown':
      return hasHours ? undefined : activeDay + 7
    case 'Home':
      return range.first + Math.floor((activeDay - range.first) / 7) * 7
    case 'End':
      return range.first + Math.floor((activeDay - range.first) / 7) * 7 + 6
    case 'PageUp':
      return dayNumber(shiftPeriod(period, day, -1))
    case 'PageDown':
      return dayNumber(shiftPeriod(period, day, 1))
    default:
      return undefined
  }
}

function titleOf(period: CalendarPeriod, day: string, { first, count }: DayRange): string {
  if (period === 'day') return dayLabel(first, FULL_DAY)
  if (period === 'week')
    return dayRangeLabel(first, first + count - 1, { day: 'numeric', month: 'short', year: 'numeric' })
  return dayLabel(dayNumber(day), { month: 'long', year: 'numeric' })
}
