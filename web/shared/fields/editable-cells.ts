import type { RecordListItem } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { lockedFieldNames, type TypedCollection } from './typed-collection.ts'

type Values = { readonly [field: string]: unknown }

/** Whether a field is there for whoever reads this record: in some it may not be. */
export const isThere = (name: string, values: Values): boolean => Object.hasOwn(values, name)

/** Names of the fields of a record that its reader never changes, or not in this one, which they do not see whole. */
export function readOnlyFieldNames({ closed = {}, fields }: TypedCollection, values: Values): ReadonlySet<string> {
  const names = fields.map(({ name }) => name)
  return new Set(names.filter((name) => closed[name]?.update === 'wholly' || !isThere(name, values)))
}

/** What of a record its reader cannot change, worked out once for as long as the record is the same. */
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

/** Whether a field is where a record stands on its way: then moves alone change it. */
export const isSetByWorkflow = ({ workflow }: TypedCollection, { id }: Field): boolean => workflow?.field === id

/** Kinds whose values the list does not hold whole, or that are given by the server. */
const NEVER_WRITTEN: ReadonlySet<FieldKind> = new Set(['rich-text', 'files', 'auto-number'])

/** Kinds that have no editor of the size of a cell: they are written on the record's own page. */
const NO_EDITOR: ReadonlySet<FieldKind> = new Set(['rich-text', 'json', 'auto-number'])

/** Whether cells of a field can get a value in the list at all: by typing, a paste, a fill. */
export const canBeWritten = (collection: TypedCollection, field: Field): boolean =>
  collection.can.includes('records:update') && !NEVER_WRITTEN.has(field.kind) && !isSetByWorkflow(collection, field)

/** Whether this record's cell can. */
export const isWritable = (collection: TypedCollection, field: Field, record: RecordListItem): boolean =>
  canBeWritten(collection, field) && !lockedNames(collection, record).has(field.name)

/** Whether cells of a field can be edited, by whatever editor: a state that moves has one, too. */
export function hasEditor(collection: TypedCollection, field: Field): boolean {
  if (NO_EDITOR.has(field.kind)) return false
  return collection.can.includes(isSetByWorkflow(collection, field) ? 'records:transition' : 'records:update')
}

/** Whether this record's cell can be edited. */
export const isEditable = (collection: TypedCollection, field: Field, record: RecordListItem): boolean =>
  hasEditor(collection, field) &&
  (isSetByWorkflow(collection, field) || !lockedNames(collection, record).has(field.name))

/** Whether a field can be emptied: a state always stands somewhere. */
export const canBeCleared = ({ kind, required }: Field): boolean =>
  kind !== 'state' && (!required || kind === 'checkbox')

/** The fields of a record that take files from whoever reads it, in their order. */
export function fileFieldsOf(
  collection: TypedCollection,
  record: Pick<RecordListItem, 'values'> & RecordListItem,
): readonly Field<'files'>[] {
  return collection.fields.filter(
    (field): field is Field<'files'> => field.kind === 'files' && isEditable(collection, field, record),
  )
}
