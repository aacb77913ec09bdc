import type { FieldId } from '#domain/shared/ids.ts'
import type { Actor } from './actor.ts'
import { type AccessTarget, decide } from './decide.ts'

/** Fields an actor cannot read in every record: whether they are empty anywhere must not leak. */
export function unreadableFields(actor: Actor, collection: AccessTarget): ReadonlySet<FieldId> {
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed) return new Set(collection.fields.map(({ id }) => id))
  return new Set([...reading.hiddenFields, ...(reading.partlyHidden?.keys() ?? [])])
}

/** Whether an actor reads every record, so that counts reveal nothing. */
export function readsAllRecords(actor: Actor, collection: AccessTarget): boolean {
  const reading = decide(actor, 'records:read', collection)
  return reading.allowed && reading.where === undefined
}

/** Whether an actor reads a field in every record, so that statistics of its values reveal nothing. */
export const readsFieldEverywhere = (actor: Actor, collection: AccessTarget, field: FieldId): boolean =>
  readsAllRecords(actor, collection) && !unreadableFields(actor, collection).has(field)
