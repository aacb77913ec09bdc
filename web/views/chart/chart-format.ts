import type { Field } from '#domain/fields/field.ts'
import { formatOf } from '#domain/fields/number-format.ts'
import type { AggregateName, GroupInterval } from '#domain/query/list/aggregates.ts'
import type { ChartKey } from '#domain/views/chart-data.ts'
import type { ChartOptions } from '#domain/views/chart.ts'
import { dateText, LOCALE } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { formatDay, formatNumber } from '#web/shared/formatting/format-value.ts'
import type { ChartFormat } from '#web/views/chart/drawing/chart-parts.tsx'
import { numberSummaryText } from '#web/views/listing/summaries/summaries.ts'

const SHORT: { readonly [Interval in GroupInterval]: Intl.DateTimeFormatOptions } = {
  day: { month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  quarter: { year: 'numeric' },
  year: { year: 'numeric' },
}

const MONTHS_PER_QUARTER = 3

const quarterOf = (date: Date): number => Math.floor(date.getUTCMonth() / MONTHS_PER_QUARTER) + 1

/** The interval that starts on a day, such as “May 2026” or “Q2 2026”. */
export function dateLabel(day: string, interval: GroupInterval): string {
  if (interval === 'day') return formatDay(day)
  if (interval === 'week') return t('Week of {day}', { day: formatDay(day) })
  return shortDate(day, interval)
}

function shortDate(day: string, interval: GroupInterval): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  const text = dateText(date, { ...SHORT[interval], timeZone: 'UTC' })
  return interval === 'quarter' ? t('Q{quarter} {year}', { quarter: quarterOf(date), year: text }) : text
}

const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })

const SUMMARY_OF = { count: 'count', sum: 'sum', avg: 'average', min: 'min', max: 'max' } as const

type Formatted = {
  readonly measured: Field<'number'> | undefined
  readonly summary: AggregateName
  readonly interval: GroupInterval | null
}

/** Values as in the summaries of a list; axes have fewer digits. */
export function chartFormat({ measured, summary, interval }: Formatted): ChartFormat {
  const subject = { name: measured?.name ?? '', field: measured }
  const value = (number: number) =>
    measured ? numberSummaryText(subject, SUMMARY_OF[summary], number) : formatNumber(number)
  const isDuration = measured !== undefined && formatOf(measured.options) === 'duration'
  return {
    value,
    tick: (number) => (isDuration ? value(number) : COMPACT.format(number)),
    category: ({ key, label, kind }: ChartKey) =>
      interval === null || kind !== 'group' ? label : shortDate(key, interval),
    share: (share) => PERCENT.format(share),
  }
}

const SUMMARY_LABELS: { readonly [Name in Exclude<AggregateName, 'count'>]: (field: string) => string } = {
  sum: (field) => t('Sum of {field}', { field }),
  avg: (field) => t('Average of {field}', { field }),
  min: (field) => t('Smallest {field}', { field }),
  max: (field) => t('Largest {field}', { field }),
}

/** For example “Sum of Amount”. */
export const summaryTitle = (summary: AggregateName, measured: Field | undefined): string =>
  summary === 'count' ? t('Number of records') : SUMMARY_LABELS[summary](measured?.label ?? '')

export const CHART_TYPE_LABELS: { readonly [Type in ChartOptions['type']]: string } = {
  bar: t('Bars'),
  line: t('Line'),
  area: t('Area'),
  pie: t('Pie'),
  donut: t('Donut'),
  number: t('Number'),
  pivot: t('Pivot table'),
}

export const INTERVAL_LABELS: { readonly [Interval in GroupInterval]: string } = {
  day: t('Day'),
  week: t('Week'),
  month: t('Month'),
  quarter: t('Quarter'),
  year: t('Year'),
}
