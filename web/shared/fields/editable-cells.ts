import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { traitsOf } from './kinds.ts'
import { lockedFieldNames, type TypedCollection } from './typed-collection.ts'

type Values = { readonly [field: string]: unknown }

/** `values` omits fields that are hidden in this record. */
export const isThere = (name: string, values: Values): boolean => Object.hasOwn(values, name)

/** Fields that the user can't edit, in general or in this record. */
export function readOnlyFieldNames({ closed = {}, fields }: TypedCollection, values: Values): ReadonlySet<string> {
  const names = fields.map(({ name }) => name)
  return new Set(names.filter((name) => closed[name]?.update === 'wholly' || !isThere(name, values)))
}

/** Cached per record object. */
const locked = new WeakMap<TypedCollection, WeakMap<RecordListItem, ReadonlySet<string>>>()

function lockedNames(collection: TypedCollection, record: RecordListItem): ReadonlySet<string> {
  const records = locked.get(collection) ?? new WeakMap<RecordListItem, ReadonlySet<string>>()
  locked.set(collection, records)
  const known = records.get(record)
  if (known) return known
  const names = new Set([
    ...readOnlyFieldNames(collection, record.values),
    ...lockedFieldNames(collection, record.values),
  ])
  records.set(record, names)
  return names
}

/** A workflow's status field changes only through transitions. */
export const isSetByWorkflow = ({ workflow }: TypedCollection, { id }: Field): boolean => workflow?.field === id

/** Whether users can give new records a value in the field. */
export const canBeSetInNew = ({ closed = {} }: TypedCollection, { name }: Field): boolean =>
  closed[name]?.create !== 'wholly'

/** Whether users can set the field by typing, pasting or filling. */
export const canBeWritten = (collection: TypedCollection, field: Field): boolean =>
  collection.can.includes('records:update') && traitsOf(field).isPastable && !isSetByWorkflow(collection, field)

export const isWritable = (collection: TypedCollection, field: Field, record: RecordListItem): boolean =>
  canBeWritten(collection, field) && !lockedNames(collection, record).has(field.name)

/** Also true for status fields with transitions. */
export function hasEditor(collection: TypedCollection, field: Field): boolean {
  if (!traitsOf(field).hasCellEditor) return false
  return collection.can.includes(isSetByWorkflow(collection, field) ? 'records:transition' : 'records:update')
}

export const isEditable = (collection: TypedCollection, field: Field, record: RecordListItem): boolean =>
  hasEditor(collection, field) &&
  (isSetByWorkflow(collection, field) || !lockedNames(collection, record).has(field.name))

/** A status can't be empty. */
export const canBeCleared = ({ kind, required }: Field): boolean =>
  kind !== 'state' && (!required || kind === 'checkbox')

export function fileFieldsOf(
  collection: TypedCollection,
  record: Pick<RecordListItem, 'values'> & RecordListItem,
): readonly Field<'files'>[] {
  return collection.fields.filter(
    (field): field is Field<'files'> => field.kind === 'files' && isEditable(collection, field, record),
  )
}
