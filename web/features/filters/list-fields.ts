import type { Field } from '#domain/fields/field.ts'

const timeField = (name: string, label: string): Field<'date-time'> => ({
  id: name,
  name,
  label,
  kind: 'date-time',
  required: true,
  unique: false,
  default: null,
  options: {},
})

/** When a record was made and last changed: every record has both, beside its collection's own fields. */
const TIMES: readonly Field[] = [timeField('createdAt', 'Created'), timeField('updatedAt', 'Updated')]

/** What a list can be filtered and sorted by. */
export const listFields = (fields: readonly Field[]): readonly Field[] => [...fields, ...TIMES]

/** What a list can be grouped by: short single values. */
export const groupFields = (fields: readonly Field[]): readonly Field[] => fields.filter(hasShortValue)

function hasShortValue(field: Field): boolean {
  switch (field.kind) {
    case 'long-text':
    case 'rich-text':
    case 'files':
      return false
    case 'relation':
      return !field.options.many
    default:
      return true
  }
}
