import { Menu } from '@mantine/core'
import { type Field, shapeOf } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import type { Filter, FilterLiteral } from '#domain/query/filter/filter.ts'
import { LOCALE } from '#web/i18n/locale.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { addCondition } from '#web/shared/conditions/add-condition.ts'
import { useListFilter } from '#web/shared/conditions/list-filter.tsx'
import { traitsOf } from '#web/shared/fields/kinds.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { personIn, UNTITLED } from '#web/shared/fields/record-title.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { formatDay } from '#web/shared/formatting/format-value.ts'
import { IconFilter2 } from '#web/ui/icons/general.ts'

export type QuickFilter = { readonly label: string; readonly condition: Filter }

type Held = { readonly literal: FilterLiteral; readonly words: string }

/** Maximum length in characters of a text to filter by. */
const LONGEST_TEXT = 300
const SHOWN_LETTERS = 28

const AND = new Intl.ListFormat(LOCALE, { type: 'conjunction' })
const OR = new Intl.ListFormat(LOCALE, { type: 'disjunction' })

export function quickFilters(field: Field, value: unknown): readonly QuickFilter[] {
  const { name, kind } = field
  if (kind === 'checkbox') return truthFilters(name, value === true)
  const held = heldIn(field, value)
  return [
    ...(held.length === 0 ? [] : valueFilters(name, held)),
    ...(field.required && held.length > 0
      ? []
      : [
          { label: t('Only empty'), condition: { field: name, op: 'is empty' } as const },
          { label: t('Not empty'), condition: { field: name, op: 'is not empty' } as const },
        ]),
  ]
}

const truthFilters = (field: string, isTrue: boolean): readonly QuickFilter[] =>
  [isTrue, !isTrue].map((truth) => ({
    label: truth ? t('Only yes') : t('Only no'),
    condition: { field, op: truth ? '=' : '!=', value: true },
  }))

/** For several values: filters that match all of them, and filters that match none of them. */
function valueFilters(field: string, held: readonly Held[]): readonly QuickFilter[] {
  const words = held.map((one) => one.words)
  const each = (op: '=' | '!=') => held.map(({ literal }) => ({ field, op, value: literal }))
  return [
    { label: t('Only {words}', { words: AND.format(words) }), condition: joined(each('=')) },
    { label: t('Not {words}', { words: OR.format(words) }), condition: joined(each('!=')) },
  ]
}

function joined(parts: readonly Filter[]): Filter {
  const [only] = parts
  return parts.length === 1 && only ? only : { all: parts }
}

function heldIn(field: Field, value: unknown): readonly Held[] {
  switch (shapeOf(valueField(field))) {
    case 'text':
      return one(notTooLong(toClientValue('text', value)), (text) => quoted(shortened(text)))
    case 'number':
      return one(
        toClientValue('number', value),
        (amount) => traitsOf(field).localText?.(amount, field) ?? String(amount),
      )
    case 'date':
      return one(toClientValue('date', value), formatDay)
    case 'date-time':
      return one(dayOf(toClientValue('date-time', value)), formatDay)
    case 'option':
      return optionNames(value).map((name) => ({ literal: name, words: name }))
    case 'record':
      return linkedIn(field, value).map(({ id, title }) => ({
        literal: id,
        words: title === '' ? UNTITLED : title,
      }))
    case 'person':
      return toClientValue('user', value).map(({ id, name }) => ({ literal: id, words: name }))
    case 'boolean':
    case 'document':
    case 'file':
    case 'json':
    case 'formula':
      return []
  }
}

const linkedIn = (field: Field, value: unknown) =>
  field.kind === 'reverse' ? (toClientValue('reverse', value)?.records ?? []) : toClientValue('relation', value)

const optionNames = (value: unknown): readonly string[] =>
  toClientValue('multi-select', typeof value === 'string' && value !== '' ? [value] : value)

const one = <Value extends FilterLiteral>(value: Value | null, say: (value: Value) => string): readonly Held[] =>
  value === null ? [] : [{ literal: value, words: say(value) }]

const notTooLong = (text: string | null): string | null => (text !== null && text.length <= LONGEST_TEXT ? text : null)

const shortened = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > SHOWN_LETTERS ? `${line.slice(0, SHOWN_LETTERS)}…` : line
}

const two = (number: number): string => String(number).padStart(2, '0')

function dayOf(instant: string | null): string | null {
  const date = new Date(instant ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return null
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

type QuickFilterItemsProps = {
  readonly collection: TypedCollection
  readonly columnId: string
  readonly row: RecordRow
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

export function QuickFilterItems({ collection, columnId, row: { record } }: QuickFilterItemsProps) {
  const { onChange } = useListFilter()
  const field = [...collection.fields, ...RECORD_FIELDS].find(({ id }) => id === columnId)
  if (!field) return null
  const values: { readonly [name: string]: unknown } = { ...record.values, ...systemValues(record) }
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('Filter by {label}', { label: field.label })}</Menu.Label>
      {quickFilters(field, values[field.name]).map(({ label, condition }) => (
        <Menu.Item
          key={label}
          leftSection={<IconFilter2 {...icon} />}
          onClick={() => onChange((latest) => addCondition(latest, condition))}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}

const systemValues = (record: RecordRow['record']) => ({
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  createdBy: personIn(record, 'createdBy'),
  updatedBy: personIn(record, 'updatedBy'),
})
