import { type Filter, allFilters, anyFilter, distinctFilters } from '../query/filter/filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import type { Actor } from './actor.ts'
import { type Grant, type GrantWithDefaults, coversField } from './grant.ts'
import type { Permission } from './permission.ts'

/**
 * The answer to "may they?". When allowed, `where` bounds the records (absent: all), `hiddenFields` are the fields that
 * do not exist for this actor, and `partlyHidden` those that are only there in the records a condition describes: in
 * all others they are as if empty, and cannot be written.
 */
export type Decision =
  | {
      readonly allowed: true
      readonly where?: Filter
      readonly hiddenFields: ReadonlySet<FieldId>
      readonly partlyHidden?: ReadonlyMap<FieldId, Filter>
      /** What new records start with, grant by grant. */
      readonly presets?: readonly GrantWithDefaults[]
    }
  | { readonly allowed: false }

/** What of a collection a decision is made about. */
export type AccessTarget = { readonly id: CollectionId; readonly fields: readonly { readonly id: FieldId }[] }

const FULL_ACCESS: Decision = { allowed: true, hiddenFields: new Set() }
const NO_ACCESS: Decision = { allowed: false }

/** The one judge of what an actor may do in a collection; nothing, in one that is not there. */
export function decide(actor: Actor, permission: Permission, collection: AccessTarget | undefined): Decision {
  if (collection === undefined) return NO_ACCESS
  if (actor.type === 'system') return FULL_ACCESS
  if (actor.type === 'guest') return NO_ACCESS

  const decisions = decisionsOf(actor.grants, collection)
  const cached = decisions.get(permission)
  if (cached) return cached
  const grants = actor.grants.filter((grant) => appliesTo(grant, permission, collection.id))
  const decision = grants.length === 0 ? NO_ACCESS : joinGrants(grants, collection)
  decisions.set(permission, decision)
  return decision
}

type Decisions = Map<Permission, Decision>

/** Cached decisions. Grants and definitions are the same objects until they change, so they can be weak keys. */
const decisionCache = new WeakMap<readonly Grant[], WeakMap<AccessTarget, Decisions>>()

function decisionsOf(grants: readonly Grant[], collection: AccessTarget): Decisions {
  const byCollection = decisionCache.get(grants) ?? new WeakMap<AccessTarget, Decisions>()
  const decisions: Decisions = byCollection.get(collection) ?? new Map<Permission, Decision>()
  byCollection.set(collection, decisions)
  decisionCache.set(grants, byCollection)
  return decisions
}

/** Whether an actor holds a permission anywhere at all: what `user.scope` and page guards ask. */
export function hasPermission(actor: Actor, permission: Permission): boolean {
  if (actor.type === 'system') return true
  return actor.type === 'user' && actor.grants.some((grant) => grant.permission === permission)
}

/** Whether an actor holds a permission in every collection, those to come as well: what making a collection asks. */
export function hasPermissionEverywhere(actor: Actor, permission: Permission): boolean {
  if (actor.type === 'system') return true
  if (actor.type === 'guest') return false
  return actor.grants.some((grant) => grant.permission === permission && grant.collection === null)
}

/** Everything an actor holds in at least one collection, in the order of the closed list. */
export function heldPermissions(actor: Actor, all: readonly Permission[]): Permission[] {
  return all.filter((permission) => hasPermission(actor, permission))
}

/** Whether a grant has anything to say about a permission in a collection. */
export const appliesTo = (grant: Grant, permission: Permission, collection: CollectionId): boolean =>
  grant.permission === permission && (grant.collection === null || grant.collection === collection)

/**
 * Grants add up: a record is open if one of them covers it, and a field of it if one of those that cover it opens the
 * field. So another grant can only ever open more.
 */
function joinGrants(grants: readonly Grant[], { fields }: AccessTarget): Decision {
  const hiddenFields = new Set<FieldId>()
  const partlyHidden = new Map<FieldId, Filter>()
  const all = conditionsOf(grants)
  for (const { id } of fields) {
    const covering = grants.filter((grant) => coversField(grant, id))
    const fieldConditions = conditionsOf(covering)
    if (covering.length === 0) hiddenFields.add(id)
    // The openers' conditions are among all; as many of them are all of them.
    else if (fieldConditions !== undefined && fieldConditions.length !== all?.length)
      partlyHidden.set(id, anyFilter(fieldConditions))
  }
  return {
    allowed: true,
    ...(all && { where: anyFilter(all) }),
    hiddenFields,
    ...(partlyHidden.size > 0 && { partlyHidden }),
    ...grantedDefaultsOf(grants),
  }
}

function grantedDefaultsOf(grants: readonly Grant[]): { readonly presets?: readonly GrantWithDefaults[] } {
  const presets = grants.filter((grant): grant is GrantWithDefaults => grant.presets !== undefined)
  return presets.length === 0 ? {} : { presets }
}

/** What describes the records that at least one of these grants covers, each condition once; undefined means all. */
function conditionsOf(grants: readonly Grant[]): readonly Filter[] | undefined {
  const conditions = grants.map(({ where }) => where)
  return conditions.includes(undefined) ? undefined : distinctFilters(conditions.filter((one) => one !== undefined))
}

/** A decision that says yes. */
export type AllowedDecision = Extract<Decision, { readonly allowed: true }>

/** A decision for the records in which all of some fields are there; undefined where one of them is there in none. */
export function whereFieldsReadable(
  decision: AllowedDecision,
  fields: readonly FieldId[],
): AllowedDecision | undefined {
  const { where, hiddenFields, partlyHidden } = decision
  if (fields.some((field) => hiddenFields.has(field))) return undefined
  return withCondition(decision, allFilters([where, ...fields.map((field) => partlyHidden?.get(field))]))
}

/** What two decisions allow together: records of both, with the fields that both open in them. */
export function intersectDecisions(one: AllowedDecision, other: AllowedDecision): AllowedDecision {
  const hiddenFields = new Set([...one.hiddenFields, ...other.hiddenFields])
  const partly = new Set([...(one.partlyHidden?.keys() ?? []), ...(other.partlyHidden?.keys() ?? [])])
  const conditions = [...partly].flatMap((field): readonly (readonly [FieldId, Filter])[] => {
    const condition = allFilters([one.partlyHidden?.get(field), other.partlyHidden?.get(field)])
    return condition === undefined || hiddenFields.has(field) ? [] : [[field, condition]]
  })
  const joined: AllowedDecision = { allowed: true, hiddenFields, ...partlyHiddenBy(conditions) }
  return withCondition(joined, allFilters([one.where, other.where]))
}

/** A decision for records that were not found by it: in those outside of its condition no field is there. */
export function forUnfilteredRecords(
  decision: AllowedDecision,
  { fields }: Pick<AccessTarget, 'fields'>,
): AllowedDecision {
  const { where, hiddenFields, partlyHidden } = decision
  if (where === undefined) return decision
  const conditions = fields.flatMap(({ id }): readonly (readonly [FieldId, Filter])[] => {
    const condition = allFilters([where, partlyHidden?.get(id)])
    return condition === undefined ? [] : [[id, condition]]
  })
  return { allowed: true, where, hiddenFields, ...partlyHiddenBy(conditions) }
}

const partlyHiddenBy = (conditions: readonly (readonly [FieldId, Filter])[]): Pick<AllowedDecision, 'partlyHidden'> =>
  conditions.length === 0 ? {} : { partlyHidden: new Map(conditions) }

const withCondition = (decision: AllowedDecision, where: Filter | undefined): AllowedDecision =>
  where === undefined ? decision : { ...decision, where }

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
