import { type CSSProperties, type ReactNode, useMemo, useRef } from 'react'
import { dayText } from '#domain/views/dates/date-span.ts'
import { type DayRange, weekdayOf } from '#domain/views/dates/periods.ts'
import { fitBars, type PlacedBar, placeBars } from '#domain/views/dates/place-bars.ts'
import { plural, t } from '#web/i18n/t.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { dayLabel, FULL_DAY } from '../dates/date-texts.ts'
import type { DatedRecord } from '../dates/dated-records.ts'

const WEEK = 7

/** In px, as in calendar.css: the day number, a record, and the gap and border below the records. */
const HEAD_PX = 30
const LANE_PX = 24
const GAP_PX = 5

/** Shown even if the rows are too low, which then scroll. */
const MIN_LANES = 3

/** A week by itself shows as many records as its days have. */
const WEEK_LANES = 40

export type DayActions = {
  readonly openDay: (day: number) => void
  readonly showMore: (day: number, button: HTMLElement) => void
  /** Undefined if the user can't create records. */
  readonly create: ((day: number) => void) | undefined
}

type MonthRowsProps = {
  readonly range: DayRange
  readonly records: readonly DatedRecord[]
  readonly startingOn: ReadonlyMap<number, number>
  /** `YYYY-MM` whose days are emphasized; undefined in a week. */
  readonly month: string | undefined
  readonly today: number
  /** The day that the keyboard is on. */
  readonly activeDay: number
  readonly actions: DayActions
  readonly renderEvent: (bar: PlacedBar<DatedRecord>, tabIndex: number) => ReactNode
}

/** Weeks of days, with the records as bars. */
export function MonthRows(props: MonthRowsProps) {
  const { range, month } = props
  const weeks = range.count / WEEK
  const bodyRef = useRef<HTMLDivElement>(null)
  const { heightPx } = useElementSize(bodyRef)
  const roomPx = heightPx / weeks - HEAD_PX - GAP_PX
  const lanes = month === undefined ? WEEK_LANES : Math.max(MIN_LANES, Math.floor(roomPx / LANE_PX))
  return (
    <>
      <div className="calendar-weekdays" aria-hidden>
        {Array.from({ length: WEEK }, (_, at) => (
          <span key={at}>{dayLabel(range.first + at, { weekday: 'short' })}</span>
        ))}
      </div>
      <div className="calendar-weeks" ref={bodyRef}>
        {heightPx > 0 &&
          Array.from({ length: weeks }, (_, at) => (
            <Week key={at} {...props} week={{ first: range.first + at * WEEK, count: WEEK }} lanes={lanes} />
          ))}
      </div>
    </>
  )
}

export type WeekProps = MonthRowsProps & { readonly week: DayRange; readonly lanes: number }

/** A row of days. */
export function Week(props: WeekProps) {
  const { week, records, startingOn, lanes, month } = props
  const { first, count } = week
  const { shown, hidden } = useMemo(
    () => fitBars(placeBars(records, { first, count }), count, lanes),
    [records, first, count, lanes],
  )
  const isCrowded = hidden.some((more) => more > 0)
  const used = Math.max(month === undefined ? 0 : MIN_LANES, ...shown.map(({ lane }) => lane + 1))
  const unloaded = (day: number) => {
    const loaded = records.filter((record) => record.first === day).length
    return Math.max(0, (startingOn.get(day) ?? 0) - loaded)
  }
  return (
    <ol className="calendar-week" style={{ '--lanes': isCrowded ? lanes : used } as CSSProperties}>
      {Array.from({ length: count }, (_, at) => (
        <Day
          key={at}
          {...props}
          day={first + at}
          bars={shown.filter((bar) => bar.day === at)}
          shown={shown.filter((bar) => bar.day <= at && at < bar.day + bar.dayCount).length}
          more={(hidden[at] ?? 0) + unloaded(first + at)}
        />
      ))}
    </ol>
  )
}

type DayProps = WeekProps & {
  readonly day: number
  /** The records that begin on the day. */
  readonly bars: readonly PlacedBar<DatedRecord>[]
  /** Number of records drawn on the day, and of others. */
  readonly shown: number
  readonly more: number
}

function Day(props: DayProps) {
  const { range, day, bars, more, lanes, month, today, activeDay, actions, renderEvent } = props
  const text = dayText(day)
  // The weeks at the ends of the calendar have fewer days.
  if (text === undefined) return <li className="calendar-day" aria-hidden />
  const tabIndex = day === activeDay ? 0 : -1
  const isOutside = month !== undefined && !text.startsWith(month)
  return (
    <li
      className="calendar-day"
      data-day={day}
      data-outside={isOutside || undefined}
      data-today={day === today || undefined}
      data-weekend={(range.count > 1 && weekdayOf(day) > 5) || undefined}
      aria-current={day === today ? 'date' : undefined}
    >
      <DayHead {...props} tabIndex={tabIndex} />
      {bars.length > 0 && (
        <ul className="calendar-events">
          {bars
            .toSorted((left, right) => left.lane - right.lane)
            .map((bar) => (
              <li
                key={bar.item.row.record.id}
                style={{ '--lane': bar.lane, '--columns': bar.dayCount } as CSSProperties}
              >
                {renderEvent(bar, tabIndex)}
              </li>
            ))}
        </ul>
      )}
      {more > 0 && (
        <button
          type="button"
          className="calendar-more"
          data-stop
          tabIndex={tabIndex}
          style={{ '--lane': lanes - 1 } as CSSProperties}
          aria-haspopup="dialog"
          aria-label={t('{more} more on {date}', { more, date: dayLabel(day, FULL_DAY) })}
          onClick={({ currentTarget }) => actions.showMore(day, currentTarget)}
        >
          {t('+{more} more', { more })}
        </button>
      )}
    </li>
  )
}

function DayHead({ range, day, shown, more, month, actions, tabIndex }: DayProps & { readonly tabIndex: number }) {
  const isMonthNamed = month !== undefined && (day === range.first || dayText(day)?.endsWith('-01') === true)
  const date = dayLabel(day, FULL_DAY)
  return (
    <div className="calendar-day-head">
      <button
        type="button"
        className="calendar-day-number"
        data-stop
        tabIndex={tabIndex}
        aria-label={`${date}, ${plural(shown + more, '{n} record', '{n} records')}`}
        onClick={() => actions.openDay(day)}
      >
        {dayLabel(day, isMonthNamed ? { day: 'numeric', month: 'long' } : { day: 'numeric' })}
      </button>
      {actions.create && (
        <button
          type="button"
          className="calendar-create"
          tabIndex={tabIndex}
          aria-label={t('New record on {date}', { date })}
          onClick={() => actions.create?.(day)}
        >
          <IconPlus size={16} stroke={1.5} aria-hidden />
        </button>
      )}
    </div>
  )
}
