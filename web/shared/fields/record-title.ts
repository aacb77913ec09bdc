import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import { formatDay, formatInstant, formatNumber } from '#web/shared/formatting/format-value.ts'
import { type TypedCollection, titleFieldOf } from './typed-collection.ts'
import { toClientValue } from './client-value.ts'

/** What stands where a record has no name yet. */
export const UNTITLED = t('Untitled')

/** What names a record to people. */
export function recordTitle(collection: TypedCollection, record: Pick<RecordBody, 'values'>): string {
  const field = titleFieldOf(collection)
  return (field && valueAsTitle(field, record.values[field.name])) || UNTITLED
}

function valueAsTitle(field: Field, value: unknown): string {
  switch (field.kind) {
    case 'number': {
      const number = toClientValue('number', value)
      return number === null ? '' : formatNumber(number)
    }
    case 'auto-number':
      return typeof value === 'number' ? String(value) : ''
    case 'date':
      return typeof value === 'string' ? formatDay(value) : ''
    case 'date-time':
      return typeof value === 'string' ? formatInstant(value) : ''
    default:
      return typeof value === 'string' ? value : ''
  }
}
