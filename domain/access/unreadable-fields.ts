import type { FieldId } from '#domain/shared/ids.ts'
import type { Actor } from './actor.ts'
import { type Decided, decide } from './decide.ts'

/** The fields an actor may not know of, or not in every record they read: whether one is empty somewhere would tell of it. */
export function unreadFields(actor: Actor, collection: Decided): ReadonlySet<FieldId> {
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed) return new Set(collection.fields.map(({ id }) => id))
  return new Set([...reading.hiddenFields, ...(reading.partlyHidden?.keys() ?? [])])
}

/** Whether somebody reads every record there is: only then is nothing about their number news to them. */
export function readsEach(actor: Actor, collection: Decided): boolean {
  const reading = decide(actor, 'records:read', collection)
  return reading.allowed && reading.where === undefined
}

/** Whether somebody reads a field in every record there is: only then is nothing about all of its values news to them. */
export const readsWhole = (actor: Actor, collection: Decided, field: FieldId): boolean =>
  readsEach(actor, collection) && !unreadFields(actor, collection).has(field)
