import type { Filter } from '../query/filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import type { Actor, Grant } from './actor.ts'
import type { Permission } from './permission.ts'

/**
 * The answer to "may they?". When allowed, `where` bounds the records (absent: all) and `hiddenFields` are the fields
 * that do not exist for this actor.
 */
export type Decision =
  | { readonly allowed: true; readonly where?: Filter; readonly hiddenFields: ReadonlySet<FieldId> }
  | { readonly allowed: false }

const NO_FIELDS: ReadonlySet<FieldId> = new Set()
const EVERYTHING: Decision = { allowed: true, hiddenFields: NO_FIELDS }
const NOTHING: Decision = { allowed: false }

/** The one judge of what an actor may do in a collection. */
export function decide(actor: Actor, permission: Permission, collection: CollectionId): Decision {
  if (actor.type === 'system') return EVERYTHING
  if (actor.type === 'guest') return NOTHING

  const grants = actor.grants.filter((grant) => speaksOf(grant, permission, collection))
  return grants.length === 0 ? NOTHING : joinGrants(grants)
}

/** Whether an actor holds a permission anywhere at all: what `user.scope` and page guards ask. */
export function holds(actor: Actor, permission: Permission): boolean {
  if (actor.type === 'system') return true
  return actor.type === 'user' && actor.grants.some((grant) => grant.permission === permission)
}

/** Whether an actor holds a permission in every collection, those to come as well: what making a collection asks. */
export function holdsEverywhere(actor: Actor, permission: Permission): boolean {
  if (actor.type === 'system') return true
  if (actor.type === 'guest') return false
  return actor.grants.some((grant) => grant.permission === permission && grant.collection === null)
}

/** Everything an actor holds in at least one collection, in the order of the closed list. */
export function heldPermissions(actor: Actor, all: readonly Permission[]): Permission[] {
  return all.filter((permission) => holds(actor, permission))
}

const speaksOf = (grant: Grant, permission: Permission, collection: CollectionId): boolean =>
  grant.permission === permission && (grant.collection === null || grant.collection === collection)

/**
 * Grants add up: conditions are joined by "or", as trees. A field stays hidden only where every grant hides it; when
 * grants with different conditions hide different fields, the stricter reading holds for all records.
 */
function joinGrants(grants: readonly Grant[]): Decision {
  const whole = grants.filter((grant) => grant.where === undefined)
  const counted = whole.length > 0 ? whole : grants
  const conditions = counted.flatMap((grant) => grant.where ?? [])
  const hidden = counted.map((grant) => new Set(grant.hiddenFields))
  const hiddenFields =
    whole.length > 0
      ? new Set([...(hidden[0] ?? [])].filter((field) => hidden.every((set) => set.has(field))))
      : new Set(hidden.flatMap((set) => [...set]))

  const [only] = conditions
  if (only === undefined) return { allowed: true, hiddenFields }
  return { allowed: true, where: conditions.length === 1 ? only : { any: conditions }, hiddenFields }
}
