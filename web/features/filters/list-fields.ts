import type { Field } from '#domain/fields/field.ts'
import { canGroupBy, canSortBy } from '#domain/fields/field-uses.ts'

const about = (name: string, label: string) => ({ id: name, name, label, required: true, unique: false, default: null })

/** When a record was made and last changed, and by whom: every record has these beside its collection's own fields. */
const RECORD_FIELDS: readonly Field[] = [
  { ...about('createdAt', 'Created'), kind: 'date-time', options: {} },
  { ...about('updatedAt', 'Updated'), kind: 'date-time', options: {} },
  { ...about('createdBy', 'Created by'), kind: 'user', options: { many: false } },
  { ...about('updatedBy', 'Updated by'), kind: 'user', options: { many: false } },
]

/** What a list can be filtered by. */
export const listFields = (fields: readonly Field[]): readonly Field[] => [...fields, ...RECORD_FIELDS]

/** What a list can be sorted by. */
export const sortFields = (fields: readonly Field[]): readonly Field[] => listFields(fields).filter(canSortBy)

/** What a list can be grouped by: short single values. */
export const groupFields = (fields: readonly Field[]): readonly Field[] => fields.filter(canGroupBy)
