import type { FieldId } from '../shared/ids.ts'
import type { Actor } from './actor.ts'
import { type Decided, decide } from './decide.ts'

/** Whether somebody reads a field in every record there is: only then does anything about all of its values tell them nothing new. */
export function readsWhole(actor: Actor, collection: Decided, field: FieldId): boolean {
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed || reading.where !== undefined) return false
  return !reading.hiddenFields.has(field) && reading.partlyHidden?.has(field) !== true
}
