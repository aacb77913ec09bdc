import type { CalendarOptions } from '#domain/views/calendar.ts'
import type { CalendarPeriod, DayRange } from '#domain/views/dates/periods.ts'
import type { DateActions, DatedList } from '../dates/use-date-actions.ts'
import type { DateDrag } from '../dates/use-date-drag.ts'
import type { CalendarQuery } from './use-calendar-records.ts'

/** What all parts of a calendar share. */
export type CalendarScene = Omit<DatedList<CalendarOptions>, 'actions'> & {
  readonly actions: DateActions
  readonly period: CalendarPeriod
  readonly day: string
  readonly range: DayRange
  /** The day that the keyboard is on. */
  readonly activeDay: number
  readonly drag: DateDrag
}

export const queryOf = ({ collection, listing, fields, range }: CalendarScene): CalendarQuery => ({
  collection: collection.name,
  listing,
  fields,
  range,
})
