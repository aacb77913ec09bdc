import type { PersonBody, RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import { formatDay, formatInstant, formatNumber } from '#web/shared/formatting/format-value.ts'
import { titleFieldOf, type TypedCollection } from './typed-collection.ts'
import { toClientValue } from './client-value.ts'
import { sessionState } from '#web/data/session/session-state.ts'

export const UNTITLED = t('Untitled')

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

/** Deleted users have no name. */
export const personName = (name: string | undefined): string => name || t('Deleted user')

/** The name is empty if not expanded. Null: the system. */
export function personIn(record: RecordBody, column: 'createdBy' | 'updatedBy'): PersonBody | null {
  const id = record[column]
  if (id === null) return null
  const me = sessionState.snapshot().user
  const name = record.people?.[id] ?? (me?.id === id ? me.name : undefined)
  return { id, name: record.people ? personName(name) : (name ?? '') }
}
