import type { FieldId } from '#domain/shared/ids.ts'
import type { Actor } from './actor.ts'
import { type Decided, decide } from './decide.ts'

/** Fields an actor cannot read in every record: whether they are empty anywhere must not leak. */
export function unreadFields(actor: Actor, collection: Decided): ReadonlySet<FieldId> {
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed) return new Set(collection.fields.map(({ id }) => id))
  return new Set([...reading.hiddenFields, ...(reading.partlyHidden?.keys() ?? [])])
}

/** Whether an actor reads every record, so that counts reveal nothing. */
export function readsEach(actor: Actor, collection: Decided): boolean {
  const reading = decide(actor, 'records:read', collection)
  return reading.allowed && reading.where === undefined
}

/** Whether an actor reads a field in every record, so that statistics of its values reveal nothing. */
export const readsWhole = (actor: Actor, collection: Decided, field: FieldId): boolean =>
  readsEach(actor, collection) && !unreadFields(actor, collection).has(field)
