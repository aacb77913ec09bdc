import type { PersonBody, RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'
import { traitsOf } from './kinds.ts'
import { titleFieldOf, type TypedCollection } from './typed-collection.ts'
import { sessionState } from '#web/data/session/session-state.ts'

export const UNTITLED = t('Untitled')

export function recordTitle(collection: TypedCollection, record: Pick<RecordBody, 'values'>): string {
  const field = titleFieldOf(collection)
  return (field && valueText(field, record.values[field.name])) || UNTITLED
}

/** Formatted in the reader's language; empty for values without a text form. */
export const valueText = (field: Field, value: unknown): string =>
  traitsOf(field).localText?.(value, field) ?? (typeof value === 'string' ? value : '')

/** Deleted users have no name. */
export const personName = (name: string | undefined): string => name || t('Deleted user')

/** Null means the system. The name is empty if the response doesn't include it. */
export function personIn(record: RecordBody, column: 'createdBy' | 'updatedBy'): PersonBody | null {
  const id = record[column]
  if (id === null) return null
  const me = sessionState.get().user
  const name = record.people?.[id] ?? (me?.id === id ? me.name : undefined)
  return { id, name: record.people ? personName(name) : (name ?? '') }
}
