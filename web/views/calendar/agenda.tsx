import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { plural, t } from '#web/i18n/t.ts'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { dayLabel, FULL_DAY } from '../dates/date-texts.ts'
import type { DatedRecord } from '../dates/dated-records.ts'
import type { DayRange } from '#domain/views/dates/periods.ts'

type AgendaProps = {
  readonly range: DayRange
  readonly records: readonly DatedRecord[]
  readonly today: number
  readonly activeDay: number
  readonly isLoading: boolean
  readonly more: (() => void) | undefined
  readonly isLoadingMore: boolean
  readonly create: ((day: number) => void) | undefined
  readonly empty: ReactNode
  readonly renderEvent: (record: DatedRecord, tabIndex: number) => ReactNode
}

/** The days that have records, one below the other. */
export function Agenda(props: AgendaProps) {
  const { range, records, today, activeDay, isLoading, more, isLoadingMore, create, empty, renderEvent } = props
  const { first, count } = range
  const days = useMemo(() => daysWithRecords(records, { first, count }), [records, first, count])
  if (days.length === 0) return isLoading ? <div className="calendar-agenda" aria-busy /> : empty
  // The keyboard enters the list at the active day or, if it has no records, at the first.
  const entry = days.some(({ day }) => day === activeDay) ? activeDay : days[0]?.day
  return (
    <div className="calendar-agenda" aria-busy={isLoading || undefined}>
      {days.map(({ day, items }) => (
        <section key={day} data-day={day} data-today={day === today || undefined} aria-label={dayLabel(day, FULL_DAY)}>
          <header>
            <h2>
              <span className="agenda-number">{dayLabel(day, { day: 'numeric' })}</span>
              {dayLabel(day, { weekday: 'long' })}
            </h2>
            {create && (
              <button
                type="button"
                className="calendar-create"
                tabIndex={day === entry ? 0 : -1}
                aria-label={t('New record on {date}', { date: dayLabel(day, FULL_DAY) })}
                onClick={() => create(day)}
              >
                <IconPlus size={18} stroke={1.5} aria-hidden />
              </button>
            )}
          </header>
          <ul>
            {items.map((record) => (
              <li key={record.row.record.id}>{renderEvent(record, day === entry ? 0 : -1)}</li>
            ))}
          </ul>
        </section>
      ))}
      {more && <More onMore={more} isLoading={isLoadingMore} loaded={records.length} />}
    </div>
  )
}

type MoreProps = { readonly onMore: () => void; readonly isLoading: boolean; readonly loaded: number }

/** Loads more records when it comes into sight. */
export function More({ onMore, isLoading, loaded }: MoreProps) {
  const ref = useRef<HTMLDivElement>(null)
  const latest = useLatest(onMore)
  useEffect(() => {
    const element = ref.current
    if (!element || isLoading) return undefined
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting === true && latest.current(), {
      rootMargin: '400px',
    })
    observer.observe(element)
    return () => observer.disconnect()
    // Observed again after each page, because it may still be in sight.
  }, [isLoading, loaded, latest])
  return (
    <div className="calendar-load-more" ref={ref}>
      <Button variant="subtle" size="xs" loading={isLoading} onClick={onMore}>
        {t('Show more')}
      </Button>
      <span role="status" className="visually-hidden">
        {plural(loaded, '{n} record', '{n} records')}
      </span>
    </div>
  )
}

/** Records that began before are on the first day. */
function daysWithRecords(records: readonly DatedRecord[], { first, count }: DayRange) {
  const days = new Map<number, DatedRecord[]>()
  for (const record of records) {
    if (record.last < first || record.first >= first + count) continue
    const day = Math.max(first, record.first)
    days.set(day, [...(days.get(day) ?? []), record])
  }
  const byTime = (left: DatedRecord, right: DatedRecord) =>
    left.first - right.first || (left.startMinute ?? -1) - (right.startMinute ?? -1)
  return [...days]
    .toSorted(([left], [right]) => left - right)
    .map(([day, items]) => ({ day, items: items.toSorted(byTime) }))
}
