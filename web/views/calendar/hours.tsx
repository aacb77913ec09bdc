import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { dayText } from '#domain/views/dates/date-span.ts'
import { weekdayOf } from '#domain/views/dates/periods.ts'
import { type PlacedTime, placeTimes } from '#domain/views/dates/place-bars.ts'
import { wallTimeOf } from '#domain/shared/time.ts'
import { dayLabel, FULL_DAY, hourLabel } from '../dates/date-texts.ts'
import { type DatedRecord, TIME_ZONE } from '../dates/dated-records.ts'
import { Week, type WeekProps } from './month-rows.tsx'

/** As in calendar.css. */
export const HOUR_PX = 48

/** Work usually begins then; earlier hours are reached by scrolling. */
const FIRST_HOUR = 7

/** Room for the upper half of its label. */
const LABEL_PX = 8

type HoursProps = Omit<WeekProps, 'week' | 'lanes' | 'month'> & {
  readonly renderTime: (placed: PlacedTime<DatedRecord>, tabIndex: number) => ReactNode
  readonly onCreateAt: ((day: number, minute: number) => void) | undefined
}

/** Only records within one day have a place in its hours. */
const hasPlace = ({ first, last }: DatedRecord): boolean => first === last

/** In lines: more records of several days scroll. */
const LANES = 8

/** The hours of some days. Records that take up several days are above them. */
export function Hours(props: HoursProps) {
  const { range, records } = props
  const scrollerRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (scrollerRef.current) scrollerRef.current.scrollTop = FIRST_HOUR * HOUR_PX - LABEL_PX
  }, [])
  const long = useMemo(() => records.filter((record) => !hasPlace(record)), [records])
  const startingOn = useMemo(
    () =>
      new Map(
        [...props.startingOn].map(([day, count]) => {
          const drawn = records.filter((record) => hasPlace(record) && record.first === day)
          return [day, count - drawn.length]
        }),
      ),
    [props.startingOn, records],
  )
  const days = Array.from({ length: range.count }, (_, at) => range.first + at)
  return (
    <div className="hours">
      <div className="calendar-weekdays" aria-hidden>
        {days.map((day) => (
          <span key={day}>{dayLabel(day, { weekday: range.count === 1 ? 'long' : 'short' })}</span>
        ))}
      </div>
      <Week {...props} records={long} startingOn={startingOn} week={range} lanes={LANES} month={undefined} />
      <div className="hours-scroller" ref={scrollerRef}>
        <div className="hours-gutter" aria-hidden>
          {Array.from({ length: 24 }, (_, hour) => (
            <span key={hour}>{hourLabel(hour)}</span>
          ))}
        </div>
        <ol className="hours-days">
          {days.map((day) => (
            <HoursOfDay key={day} {...props} day={day} />
          ))}
        </ol>
      </div>
    </div>
  )
}

function HoursOfDay({
  range,
  day,
  records,
  activeDay,
  today,
  renderTime,
  onCreateAt,
}: HoursProps & { readonly day: number }) {
  const placed = useMemo(
    () => placeTimes(records.filter((record) => hasPlace(record) && record.first === day)),
    [records, day],
  )
  if (dayText(day) === undefined) return <li className="hours-day" aria-hidden />
  return (
    <li
      className="hours-day"
      data-day={day}
      data-weekend={(range.count > 1 && weekdayOf(day) > 5) || undefined}
      aria-label={dayLabel(day, FULL_DAY)}
      onDoubleClick={({ clientY, currentTarget, target }) => {
        if (target !== currentTarget) return
        const minute = ((clientY - currentTarget.getBoundingClientRect().top) / HOUR_PX) * 60
        onCreateAt?.(day, Math.floor(minute / 30) * 30)
      }}
    >
      {placed.length > 0 && (
        <ul>
          {placed.map((each) => (
            <li
              key={each.item.row.record.id}
              style={
                {
                  '--from': each.from,
                  '--to': each.to,
                  '--column': each.place,
                  '--columns': each.placeCount,
                } as CSSProperties
              }
            >
              {renderTime(each, day === activeDay ? 0 : -1)}
            </li>
          ))}
        </ul>
      )}
      {day === today && <div className="hours-now" style={{ '--from': minuteNow() } as CSSProperties} />}
    </li>
  )
}

function minuteNow(): number {
  const wall = wallTimeOf(TIME_ZONE, new Date())
  return Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))
}
