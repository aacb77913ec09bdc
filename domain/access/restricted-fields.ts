import type { FieldId } from '#domain/shared/ids.ts'
import type { Actor } from './actor.ts'
import { type Decided, type Decision, decide } from './decide.ts'

/** In which of the records that somebody may act on a field is closed to them: in some, or in all. */
export type Restriction = 'partly' | 'wholly'

/** What somebody may do with records, but not with one of their fields, or not in all of them. */
export type RestrictedField = { readonly read?: 'partly'; readonly create?: Restriction; readonly update?: Restriction }

/** The fields that are not open to somebody wherever the records are; those that do not exist for them are not asked for. */
export function restrictedFields(actor: Actor, collection: Decided): ReadonlyMap<FieldId, RestrictedField> {
  const reading = decide(actor, 'records:read', collection)
  const creating = decide(actor, 'records:create', collection)
  const updating = decide(actor, 'records:update', collection)
  const closed = collection.fields.flatMap(({ id }): readonly (readonly [FieldId, RestrictedField])[] => {
    const [create, update] = [restrictionBy(creating, id), restrictionBy(updating, id)]
    const isPartlyRead = restrictionBy(reading, id) === 'partly'
    if (!isPartlyRead && !create && !update) return []
    return [[id, { ...(isPartlyRead && { read: 'partly' }), ...(create && { create }), ...(update && { update }) }]]
  })
  return new Map(closed)
}

/** Nothing is said of what somebody may not do at all. */
function restrictionBy(decision: Decision, field: FieldId): Restriction | undefined {
  if (!decision.allowed) return undefined
  if (decision.hiddenFields.has(field)) return 'wholly'
  return decision.partlyHidden?.has(field) ? 'partly' : undefined
}
