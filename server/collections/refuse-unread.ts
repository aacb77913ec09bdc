import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'

/**
 * Refuses a change of a field that would tell its values, those that are lost, stand twice or become choices, to somebody
 * who manages the collection but does not read that field in all of its records.
 */
export function refuseUnread(actor: Actor, collection: Collection, { id, label }: Field): void {
  if (readsAllOf(actor, collection, id)) return
  throw new Problem(
    'forbidden',
    `This change goes through all values of ${label}, and you may not read all of them. Ask an owner. Nothing was changed.`,
  )
}

/** Whether somebody reads every record of a collection, and a field in each of them where one is named. */
export function readsAllOf(actor: Actor, collection: Collection | undefined, field: FieldId | undefined): boolean {
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed || reading.where !== undefined) return false
  return field === undefined || !(reading.hiddenFields.has(field) || reading.partlyHidden?.has(field) === true)
}
