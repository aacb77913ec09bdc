import type { Field } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { isPersonField, isSystemField } from '#domain/fields/system-fields.ts'
import { formatOf } from '#domain/fields/number-format.ts'
import { formatNumberField } from '#web/shared/formatting/format-number-field.ts'
import { formatDay, formatInstant, formatNumber } from '#web/shared/formatting/format-value.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'

export const SUMMARIES = ['count', 'filled', 'empty', 'sum', 'average', 'min', 'max'] as const

export type Summary = (typeof SUMMARIES)[number]

export type SummarySubject = { readonly name: string; readonly field: Field | undefined }

export function subjectOf({ fields }: TypedCollection, columnId: string): SummarySubject | undefined {
  if (isSystemField(columnId)) {
    const field = isPersonField(columnId) ? RECORD_FIELDS.find(({ id }) => id === columnId) : undefined
    return { name: columnId, field }
  }
  const field = fields.find(({ id }) => id === columnId)
  return field && { name: field.name, field: valueField(field) }
}

const DATE_SUMMARIES: readonly Summary[] = ['count', 'filled', 'empty', 'min', 'max']

export function summariesFor({ field }: SummarySubject): readonly Summary[] {
  if (!field) return ['count', 'min', 'max']
  if (field.kind === 'number') return SUMMARIES
  return field.kind === 'date' || field.kind === 'date-time' ? DATE_SUMMARIES : ['count', 'filled', 'empty']
}

export function summaryOf(subject: SummarySubject, kept: string | undefined): Summary | undefined {
  return summariesFor(subject).find((summary) => summary === kept)
}

export function withSummary<Footers extends { readonly [columnId: string]: string }>(
  footers: Footers,
  columnId: string,
  summary: Summary | null,
): { readonly [columnId: string]: string } {
  const { [columnId]: _, ...others } = footers
  return summary === null ? others : { ...others, [columnId]: summary }
}

const LABELS: { readonly [Each in Summary]: string } = {
  count: t('Records'),
  filled: t('Filled'),
  empty: t('Empty'),
  sum: t('Sum'),
  average: t('Average'),
  min: t('Smallest'),
  max: t('Largest'),
}
const DATE_LABELS: { readonly [Each in Summary]?: string } = { min: t('Earliest'), max: t('Latest') }
const CHECKBOX_LABELS: { readonly [Each in Summary]?: string } = { filled: t('Checked'), empty: t('Not checked') }

export function summaryLabel({ field }: SummarySubject, summary: Summary): string {
  if (field?.kind === 'checkbox') return CHECKBOX_LABELS[summary] ?? LABELS[summary]
  return (field?.kind === 'number' ? undefined : DATE_LABELS[summary]) ?? LABELS[summary]
}

export function aggregateOf({ name, field }: SummarySubject, summary: Summary): string | undefined {
  const aggregate = field?.kind === 'number' ? AGGREGATES[summary] : undefined
  return aggregate && `${aggregate}(${name})`
}

const AGGREGATES: { readonly [Each in Summary]?: string } = { sum: 'sum', average: 'avg', min: 'min', max: 'max' }

/** Number of additional decimal places for averages. */
const EXTRA_DIGITS = 2

export const dateSummaryText = ({ field }: SummarySubject, value: string): string =>
  field?.kind === 'date' ? formatDay(value) : formatInstant(value)

export function numberSummaryText({ field }: SummarySubject, summary: Summary, value: number): string {
  if (field?.kind !== 'number') return formatNumber(value)
  const digits = (field.options.decimals ?? 0) + EXTRA_DIGITS
  const shown = summary === 'average' ? Number(value.toFixed(Math.min(digits, MAX_DIGITS))) : value
  // A star rating isn't meaningful for a sum or an average.
  return formatOf(field.options) === 'rating' ? formatNumber(shown) : formatNumberField(shown, field.options)
}

const MAX_DIGITS = 15

export type SummaryState =
  | { readonly is: 'waiting' }
  | { readonly is: 'failed' }
  | { readonly is: 'there'; readonly text: string }
