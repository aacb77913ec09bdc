import type { Field } from '#domain/fields/field.ts'
import { isPersonField, isSystemField } from '#domain/fields/system-fields.ts'
import { formatDay, formatInstant, formatNumber } from '#web/fields/format-value.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { RECORD_FIELDS } from '#web/fields/record-fields.ts'
import { t } from '#web/language/t.ts'

/** What can stand below a column, by the name under which a view keeps it. */
export const FIGURES = ['count', 'filled', 'empty', 'sum', 'average', 'min', 'max'] as const

/** One of them. */
export type Figure = (typeof FIGURES)[number]

/** What figures are of: a field, or a time that every record has. */
export type FigureSubject = { readonly name: string; readonly field: Field | undefined }

/** The subject of a column; undefined where it is gone. */
export function subjectOf({ fields }: KnownCollection, columnId: string): FigureSubject | undefined {
  if (isSystemField(columnId)) {
    const field = isPersonField(columnId) ? RECORD_FIELDS.find(({ id }) => id === columnId) : undefined
    return { name: columnId, field }
  }
  const field = fields.find(({ id }) => id === columnId)
  return field && { name: field.name, field }
}

const OF_MOMENTS: readonly Figure[] = ['count', 'filled', 'empty', 'min', 'max']

/** The figures that mean something of a column. */
export function figuresFor({ field }: FigureSubject): readonly Figure[] {
  if (!field) return ['count', 'min', 'max']
  if (field.kind === 'number') return FIGURES
  return field.kind === 'date' || field.kind === 'date-time' ? OF_MOMENTS : ['count', 'filled', 'empty']
}

/** A figure a view keeps, if it means something of its column. */
export function figureOf(subject: FigureSubject, kept: string | undefined): Figure | undefined {
  return figuresFor(subject).find((figure) => figure === kept)
}

/** The figures below the columns with another one below this column, or with none. */
export function withFigure<Footers extends { readonly [columnId: string]: string }>(
  footers: Footers,
  columnId: string,
  figure: Figure | null,
): { readonly [columnId: string]: string } {
  const { [columnId]: _, ...others } = footers
  return figure === null ? others : { ...others, [columnId]: figure }
}

const WORDS: { readonly [Each in Figure]: string } = {
  count: t('Records'),
  filled: t('Filled'),
  empty: t('Empty'),
  sum: t('Sum'),
  average: t('Average'),
  min: t('Smallest'),
  max: t('Largest'),
}
const WORDS_OF_MOMENTS: { readonly [Each in Figure]?: string } = { min: t('Earliest'), max: t('Latest') }
const WORDS_OF_CHECKBOXES: { readonly [Each in Figure]?: string } = { filled: t('Checked'), empty: t('Not checked') }

/** What a figure is called below a column. */
export function figureWord({ field }: FigureSubject, figure: Figure): string {
  if (field?.kind === 'checkbox') return WORDS_OF_CHECKBOXES[figure] ?? WORDS[figure]
  return (field?.kind === 'number' ? undefined : WORDS_OF_MOMENTS[figure]) ?? WORDS[figure]
}

/** The aggregate of a list that a figure of numbers is; undefined for others. */
export function aggregateOf({ name, field }: FigureSubject, figure: Figure): string | undefined {
  const aggregate = field?.kind === 'number' ? AGGREGATES[figure] : undefined
  return aggregate && `${aggregate}(${name})`
}

const AGGREGATES: { readonly [Each in Figure]?: string } = { sum: 'sum', average: 'avg', min: 'min', max: 'max' }

/** Digits of an average beyond those its numbers have. */
const MORE_DIGITS = 2

/** An instant or a day as it is read below its column. */
export const momentFigureText = ({ field }: FigureSubject, value: string): string =>
  field?.kind === 'date' ? formatDay(value) : formatInstant(value)

/** A figure of numbers as it is read. */
export function numberFigureText({ field }: FigureSubject, figure: Figure, value: number): string {
  if (figure !== 'average' || field?.kind !== 'number') return formatNumber(value)
  const digits = (field.options.decimals ?? 0) + MORE_DIGITS
  return formatNumber(Number(value.toFixed(Math.min(digits, MOST_DIGITS))))
}

const MOST_DIGITS = 15

/** A figure while it is asked for, once it is known, and where it could not be had. */
export type FigureState =
  | { readonly is: 'waiting' }
  | { readonly is: 'failed' }
  /** Empty: of no record there is anything to tell. */
  | { readonly is: 'there'; readonly text: string }
