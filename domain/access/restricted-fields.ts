import type { FieldId } from '#domain/shared/ids.ts'
import type { Actor } from './actor.ts'
import { type AccessTarget, type Decision, decide } from './decide.ts'

/** Whether a field is restricted in some or in all of the records an action is allowed for. */
export type Restriction = 'partly' | 'wholly'

/** Actions that are allowed on records but not on this field, or not in all records. */
export type RestrictedField = { readonly read?: 'partly'; readonly create?: Restriction; readonly update?: Restriction }

/** The fields that are restricted for an actor; fields hidden everywhere are left out. */
export function restrictedFields(actor: Actor, collection: AccessTarget): ReadonlyMap<FieldId, RestrictedField> {
  const reading = decide(actor, 'records:read', collection)
  const creating = decide(actor, 'records:create', collection)
  const updating = decide(actor, 'records:update', collection)
  const restricted = collection.fields.flatMap(({ id }): readonly (readonly [FieldId, RestrictedField])[] => {
    const [create, update] = [restrictionBy(creating, id), restrictionBy(updating, id)]
    const isPartlyRead = restrictionBy(reading, id) === 'partly'
    if (!isPartlyRead && !create && !update) return []
    return [[id, { ...(isPartlyRead && { read: 'partly' }), ...(create && { create }), ...(update && { update }) }]]
  })
  return new Map(restricted)
}

/** No restriction is reported for actions that are not allowed at all. */
function restrictionBy(decision: Decision, field: FieldId): Restriction | undefined {
  if (!decision.allowed) return undefined
  if (decision.hiddenFields.has(field)) return 'wholly'
  return decision.partlyHidden?.has(field) ? 'partly' : undefined
}

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
