import type { Field } from '#domain/fields/field.ts'
import { isPersonField, isSystemField } from '#domain/fields/system-fields.ts'
import { formatDay, formatInstant, formatNumber } from '#web/shared/formatting/format-value.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'

import { t } from '#web/i18n/t.ts'

/** What can stand below a column, by the name under which a view keeps it. */
export const SUMMARIES = ['count', 'filled', 'empty', 'sum', 'average', 'min', 'max'] as const

/** One of them. */
export type Summary = (typeof SUMMARIES)[number]

/** What figures are of: a field, or a time that every record has. */
export type SummarySubject = { readonly name: string; readonly field: Field | undefined }

/** The subject of a column; undefined where it is gone. */
export function subjectOf({ fields }: TypedCollection, columnId: string): SummarySubject | undefined {
  if (isSystemField(columnId)) {
    const field = isPersonField(columnId) ? RECORD_FIELDS.find(({ id }) => id === columnId) : undefined
    return { name: columnId, field }
  }
  const field = fields.find(({ id }) => id === columnId)
  return field && { name: field.name, field }
}

const DATE_SUMMARIES: readonly Summary[] = ['count', 'filled', 'empty', 'min', 'max']

/** The figures that mean something of a column. */
export function summariesFor({ field }: SummarySubject): readonly Summary[] {
  if (!field) return ['count', 'min', 'max']
  if (field.kind === 'number') return SUMMARIES
  return field.kind === 'date' || field.kind === 'date-time' ? DATE_SUMMARIES : ['count', 'filled', 'empty']
}

/** A figure a view keeps, if it means something of its column. */
export function summaryOf(subject: SummarySubject, kept: string | undefined): Summary | undefined {
  return summariesFor(subject).find((figure) => figure === kept)
}

/** The figures below the columns with another one below this column, or with none. */
export function withSummary<Footers extends { readonly [columnId: string]: string }>(
  footers: Footers,
  columnId: string,
  figure: Summary | null,
): { readonly [columnId: string]: string } {
  const { [columnId]: _, ...others } = footers
  return figure === null ? others : { ...others, [columnId]: figure }
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

/** What a figure is called below a column. */
export function summaryLabel({ field }: SummarySubject, figure: Summary): string {
  if (field?.kind === 'checkbox') return CHECKBOX_LABELS[figure] ?? LABELS[figure]
  return (field?.kind === 'number' ? undefined : DATE_LABELS[figure]) ?? LABELS[figure]
}

/** The aggregate of a list that a figure of numbers is; undefined for others. */
export function aggregateOf({ name, field }: SummarySubject, figure: Summary): string | undefined {
  const aggregate = field?.kind === 'number' ? AGGREGATES[figure] : undefined
  return aggregate && `${aggregate}(${name})`
}

const AGGREGATES: { readonly [Each in Summary]?: string } = { sum: 'sum', average: 'avg', min: 'min', max: 'max' }

/** Digits of an average beyond those its numbers have. */
const EXTRA_DIGITS = 2

/** An instant or a day as it is read below its column. */
export const dateSummaryText = ({ field }: SummarySubject, value: string): string =>
  field?.kind === 'date' ? formatDay(value) : formatInstant(value)

/** A figure of numbers as it is read. */
export function numberSummaryText({ field }: SummarySubject, figure: Summary, value: number): string {
  if (figure !== 'average' || field?.kind !== 'number') return formatNumber(value)
  const digits = (field.options.decimals ?? 0) + EXTRA_DIGITS
  return formatNumber(Number(value.toFixed(Math.min(digits, MAX_DIGITS))))
}

const MAX_DIGITS = 15

/** A figure while it is asked for, once it is known, and where it could not be had. */
export type SummaryState =
  | { readonly is: 'waiting' }
  | { readonly is: 'failed' }
  /** Empty: of no record there is anything to tell. */
  | { readonly is: 'there'; readonly text: string }
