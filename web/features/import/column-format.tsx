import type { CollectionBody } from '#api/collections.ts'
import type { ImportPreview } from '#api/imports.ts'
import { type Field, type FieldKind, holdsList, shapeOf } from '#domain/fields/field.ts'
import type { TextFormat } from '#domain/fields/field-kind.ts'
import { parseValue } from '#domain/fields/kinds.ts'
import { t } from '#web/i18n/t.ts'
import { traitsOf } from '#web/shared/fields/kinds.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'
import { Select } from '#web/ui/dropdown/select.tsx'
import type { ColumnPlan } from './import-plan.ts'

/** The existing field that a column is mapped to, or a draft of the new field with these `options`. */
function fieldOf(column: ColumnPlan, into: CollectionBody | undefined, options: object = {}): Field | undefined {
  if (column.target === 'skip') return undefined
  if (column.target === 'field') return into && typedCollection(into).fields.find(({ name }) => name === column.field)
  const draft = { id: '', name: '', label: column.label, required: false, unique: false, default: null, options }
  // The options don't affect how values are parsed.
  return { ...draft, kind: column.kind } as Field
}

/**
 * Whether a text can't be parsed as the field's type. Values that are parsed but not allowed by the field don't count.
 */
export const isUnreadable = ({ code }: { readonly code: string }): boolean =>
  code.startsWith('not-') && code !== 'not-choice'

const SHAPES_SHOWN = ['number', 'date', 'date-time', 'boolean'] as const

export type SampleOf = {
  readonly column: ColumnPlan
  readonly found: ImportPreview['columns'][number]
  readonly into: CollectionBody | undefined
}

/**
 * A sample as the import parses it, formatted in the user's language; undefined if it can't be determined from the
 * text.
 */
export function textAsRead(text: string, { column, found, into }: SampleOf): string | undefined {
  const field = fieldOf(column, into, found.kind === column.kind ? found.options : {})
  if (!field || !SHAPES_SHOWN.some((shape) => shape === shapeOf(field))) return undefined
  const read = parseValue(field, text, column.format)
  if (!read.ok) return isUnreadable(read.fault) ? t('unreadable') : t('invalid')
  if (typeof read.value === 'boolean') return read.value ? t('Yes') : t('No')
  return traitsOf(field).localText?.(read.value, field)
}

type FormatChoice = {
  readonly label: string
  readonly values: readonly { readonly value: string; readonly label: string; readonly format: TextFormat }[]
  readonly valueOf: (format: TextFormat) => string
}

const NUMBERS: FormatChoice = {
  label: t('Number format'),
  values: [
    { value: '.', label: '1,234.56', format: { decimal: '.' } },
    { value: ',', label: '1.234,56', format: { decimal: ',' } },
  ],
  valueOf: ({ decimal }) => decimal ?? LOCAL_FORMAT.decimal,
}

const DATES: FormatChoice = {
  label: t('Date format'),
  values: [
    { value: 'dmy', label: '31.12.2026', format: { dayOrder: 'dmy' } },
    { value: 'mdy', label: '12/31/2026', format: { dayOrder: 'mdy' } },
    { value: 'ymd', label: '2026-12-31', format: { dayOrder: 'ymd' } },
  ],
  valueOf: ({ dayOrder }) => dayOrder ?? LOCAL_FORMAT.dayOrder,
}

const ANY_SEPARATOR = 'any'

const LISTS: FormatChoice = {
  label: t('Separator'),
  values: [
    { value: ANY_SEPARATOR, label: t('Automatic'), format: { separator: undefined } },
    { value: ';', label: t('Semicolon'), format: { separator: ';' } },
    { value: ',', label: t('Comma'), format: { separator: ',' } },
  ],
  valueOf: ({ separator }) => separator ?? ANY_SEPARATOR,
}

const CHOICE_OF_KIND: { readonly [Kind in FieldKind]?: FormatChoice } = {
  number: NUMBERS,
  date: DATES,
  'date-time': DATES,
}

type FormatSelectProps = {
  readonly name: string
  readonly column: ColumnPlan
  readonly into: CollectionBody | undefined
  readonly onChange: (part: Partial<ColumnPlan>) => void
}

/** Selects the format of a column's values, for field types that have several formats. */
export function FormatSelect({ name, column, into, onChange }: FormatSelectProps) {
  const field = fieldOf(column, into)
  const choice = field && (holdsList(field) ? LISTS : CHOICE_OF_KIND[field.kind])
  if (!choice) return null
  return (
    <Select
      className="plan-column-format"
      aria-label={t('{label} of {name}', { label: choice.label, name })}
      allowDeselect={false}
      data={choice.values.map(({ value, label }) => ({ value, label }))}
      value={choice.valueOf(column.format)}
      onChange={(chosen) => {
        const found = choice.values.find(({ value }) => value === chosen)
        if (found) onChange({ format: { ...column.format, ...found.format } })
      }}
    />
  )
}
