import type { Actor } from '#domain/access/actor.ts'
import { readsWhole } from '#domain/access/unreadable-fields.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'

/**
 * Refuses a change of a field that would tell its values, those that are lost, stand twice or become choices, to somebody
 * who manages the collection but does not read that field in all of its records.
 */
export function assertFieldReadable(actor: Actor, collection: Collection, { id, label }: Field): void {
  if (readsWhole(actor, collection, id)) return
  throw new Problem(
    'forbidden',
    `Nothing was changed. This affects all values of ${label}, and you can’t read all of them. Ask an owner.`,
  )
}
