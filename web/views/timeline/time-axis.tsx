import type { CSSProperties, RefObject } from 'react'
import { dayNumber } from '#domain/views/dates/date-span.ts'
import { weekdayOf } from '#domain/views/dates/periods.ts'
import { TIMELINE_SCALES, type TickUnit, type TimelineZoom, ticksBetween } from '#domain/views/dates/timeline-scale.ts'
import { dayLabel, hourLabel, today } from '../dates/date-texts.ts'
import { FIRST_WEEKDAY } from '../dates/dated-records.ts'
import type { TimeAxis } from './use-time-axis.ts'

type TimeAxisHeaderProps = {
  readonly axis: TimeAxis
  readonly zoom: TimelineZoom
  readonly axisRef: RefObject<HTMLDivElement | null>
}

/** The dates above the rows, and the lines behind them. */
export function TimeAxisHeader({ axis, zoom, axisRef }: TimeAxisHeaderProps) {
  const { major, minor } = TIMELINE_SCALES[zoom]
  const { from, to } = axis.visible
  const around = [from - axis.visibleDays, to + axis.visibleDays] as const
  const now = dayNumber(today())
  const place = (start: number, end: number): CSSProperties => ({
    insetInlineStart: axis.pxOf(start),
    width: axis.pxOf(end) - axis.pxOf(start),
  })
  return (
    <div className="timeline-clip" ref={axisRef} aria-hidden>
      <div className="timeline-axis" style={{ width: axis.totalPx }}>
        {ticksBetween(major, ...around, FIRST_WEEKDAY).map((tick) => (
          <div key={tick.from} className="timeline-major" style={place(tick.from, tick.to)}>
            <span>{majorLabel(major, tick.from)}</span>
          </div>
        ))}
        {ticksBetween(minor, ...around, FIRST_WEEKDAY).map((tick) => (
          <div
            key={tick.from}
            className="timeline-minor"
            data-unit={minor}
            data-weekend={(minor === 'day' && weekdayOf(tick.from) > 5) || undefined}
            data-today={(minor === 'day' && tick.from === now) || undefined}
            style={place(tick.from, tick.to)}
          >
            <span>{minorLabel(minor, tick.from, zoom)}</span>
          </div>
        ))}
        <div className="timeline-now" style={{ insetInlineStart: axis.pxOf(now + 0.5) }} />
      </div>
    </div>
  )
}

function majorLabel(unit: TickUnit, from: number): string {
  if (unit === 'year') return dayLabel(from, { year: 'numeric' })
  if (unit === 'month') return dayLabel(from, { month: 'long', year: 'numeric' })
  if (unit === 'week') return dayLabel(from, { day: 'numeric', month: 'long', year: 'numeric' })
  return dayLabel(from, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
}

function minorLabel(unit: TickUnit, from: number, zoom: TimelineZoom): string {
  if (unit === 'hours') return hourLabel(Math.round((from - Math.floor(from)) * 24))
  if (unit === 'month') return dayLabel(from, { month: 'short' })
  return dayLabel(from, zoom === 'week' ? { weekday: 'short', day: 'numeric' } : { day: 'numeric' })
}
