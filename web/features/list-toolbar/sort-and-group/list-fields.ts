import { canGroupBy, canSortBy, type Field } from '#domain/fields/field.ts'

import { RECORD_FIELDS } from '#web/shared/fields/typed-collection.ts'

const listFields = (fields: readonly Field[]): readonly Field[] => [...fields, ...RECORD_FIELDS]

export const sortFields = (fields: readonly Field[]): readonly Field[] => listFields(fields).filter(canSortBy)

/** Fields with short single values. */
export const groupFields = (fields: readonly Field[]): readonly Field[] => fields.filter(canGroupBy)
