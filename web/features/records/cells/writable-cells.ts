import type { RecordLineBody } from '#api/records.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { closedNames } from '../closed-names.ts'
import { frozenNames } from '#web/fields/state/frozen-names.ts'

/** What of a record its reader cannot change, worked out once for as long as the record is the same. */
const locked = new WeakMap<KnownCollection, WeakMap<RecordLineBody, ReadonlySet<string>>>()

function lockedNames(collection: KnownCollection, record: RecordLineBody): ReadonlySet<string> {
  const records = locked.get(collection) ?? new WeakMap<RecordLineBody, ReadonlySet<string>>()
  locked.set(collection, records)
  const known = records.get(record)
  if (known) return known
  const names = new Set([...closedNames(collection, record.values), ...frozenNames(collection, record.values)])
  records.set(record, names)
  return names
}

/** Whether a field is where a record stands on its way: then moves alone change it. */
export const isMoved = ({ workflow }: KnownCollection, { id }: Field): boolean => workflow?.field === id

/** Kinds whose values the list does not hold whole, or that are given by the server. */
const NEVER_WRITTEN: ReadonlySet<FieldKind> = new Set(['rich-text', 'files', 'auto-number'])

/** Kinds that have no editor of the size of a cell: they are written on the record's own page. */
const NO_EDITOR: ReadonlySet<FieldKind> = new Set(['rich-text', 'json', 'auto-number'])

/** Whether cells of a field can get a value in the list at all: by typing, a paste, a fill. */
export const canBeWritten = (collection: KnownCollection, field: Field): boolean =>
  collection.can.includes('records:update') && !NEVER_WRITTEN.has(field.kind) && !isMoved(collection, field)

/** Whether this record's cell can. */
export const isWritable = (collection: KnownCollection, field: Field, record: RecordLineBody): boolean =>
  canBeWritten(collection, field) && !lockedNames(collection, record).has(field.name)

/** Whether cells of a field can be edited, by whatever editor: a state that moves has one, too. */
export function hasEditor(collection: KnownCollection, field: Field): boolean {
  if (NO_EDITOR.has(field.kind)) return false
  return collection.can.includes(isMoved(collection, field) ? 'records:transition' : 'records:update')
}

/** Whether this record's cell can be edited. */
export const isEditable = (collection: KnownCollection, field: Field, record: RecordLineBody): boolean =>
  hasEditor(collection, field) && (isMoved(collection, field) || !lockedNames(collection, record).has(field.name))

/** Whether a field can be emptied: a state always stands somewhere. */
export const canBeEmptied = ({ kind, required }: Field): boolean =>
  kind !== 'state' && (!required || kind === 'checkbox')
