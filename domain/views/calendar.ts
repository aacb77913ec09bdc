import {
  type DateFields,
  dateFieldsProblem,
  NO_DATE_FIELDS,
  readDateFields,
  renameDateFields,
  startDateFields,
} from './dates/date-fields.ts'
import { CALENDAR_PERIODS, type CalendarPeriod } from './dates/periods.ts'
import type { ViewKindRules } from './view-kind.ts'

export type CalendarOptions = DateFields & { readonly period: CalendarPeriod }

const defaults: CalendarOptions = { ...NO_DATE_FIELDS, period: 'month' }

export const calendar: ViewKindRules<CalendarOptions> = {
  startFor: (collection) => {
    const fields = startDateFields(collection)
    return fields && { ...defaults, ...fields }
  },
  read: (stored) => ({
    ...readDateFields(stored),
    period: CALENDAR_PERIODS.find((period) => period === stored['period']) ?? defaults.period,
  }),
  renameFields: (options, rename) => ({ ...options, ...renameDateFields(options, rename) }),
  problem: dateFieldsProblem,
}
