import { type Field, holdsList } from './field.ts'

/** Whether records can be sorted by a field: everything has an order but what only programs read. */
export const canSortBy = ({ kind }: Pick<Field, 'kind'>): boolean => kind !== 'json'

/** Whether records can be grouped by a field: it has a single short value. */
export const canGroupBy = (field: Field): boolean =>
  !holdsList(field) && field.kind !== 'long-text' && field.kind !== 'rich-text' && field.kind !== 'json'
