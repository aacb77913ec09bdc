import { canGroupBy, canSortBy, type Field } from '#domain/fields/field.ts'

import { RECORD_FIELDS } from '#web/shared/fields/typed-collection.ts'

/** What a list can be filtered by. */
const listFields = (fields: readonly Field[]): readonly Field[] => [...fields, ...RECORD_FIELDS]

/** What a list can be sorted by. */
export const sortFields = (fields: readonly Field[]): readonly Field[] => listFields(fields).filter(canSortBy)

/** What a list can be grouped by: short single values. */
export const groupFields = (fields: readonly Field[]): readonly Field[] => fields.filter(canGroupBy)
