import type { Field, RollupInputs, RollupKind } from '../fields/field.ts'
import { allInputs, rollupsBehind } from '../formulas/formula-fields.ts'
import { isComputed, isFormula } from '../formulas/value-field.ts'
import { type Filter, allFilters, anyFilter, distinctFilters } from '../query/filter/filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import type { Actor } from './actor.ts'
import { type Grant, type GrantWithDefaults, coversField } from './grant.ts'
import type { Permission } from './permission.ts'

/**
 * If access is allowed, `where` limits the records (absent: all), `hiddenFields` are invisible to the actor, and
 * `partlyHidden` fields can be read and written only in records that match their condition.
 */
export type Decision =
  | {
      readonly allowed: true
      readonly where?: Filter
      readonly hiddenFields: ReadonlySet<FieldId>
      readonly partlyHidden?: ReadonlyMap<FieldId, Filter>
      /** Default values for new records, per grant. */
      readonly presets?: readonly GrantWithDefaults[]
    }
  | { readonly allowed: false }

export type AccessTarget = {
  readonly id: CollectionId
  readonly fields: readonly ({ readonly id: FieldId } | Field)[]
}

const FULL_ACCESS: Decision = { allowed: true, hiddenFields: new Set() }
const NO_ACCESS: Decision = { allowed: false }

/** All access decisions for collections are made here. */
export function decide(actor: Actor, permission: Permission, collection: AccessTarget | undefined): Decision {
  if (collection === undefined) return NO_ACCESS
  if (actor.type === 'system') return FULL_ACCESS
  if (actor.type === 'guest') return NO_ACCESS

  const decisions = decisionsOf(actor.grants, collection)
  const cached = decisions.get(permission)
  if (cached) return cached
  const grants = actor.grants.filter((grant) => appliesTo(grant, permission, collection.id))
  const decision = grants.length === 0 ? NO_ACCESS : joinGrants(grants, actor.grants, collection)
  decisions.set(permission, decision)
  return decision
}

type Decisions = Map<Permission, Decision>

/** Grants and definitions keep their object identity until they change, so they can be `WeakMap` keys. */
const decisionCache = new WeakMap<readonly Grant[], WeakMap<AccessTarget, Decisions>>()

function decisionsOf(grants: readonly Grant[], collection: AccessTarget): Decisions {
  const byCollection = decisionCache.get(grants) ?? new WeakMap<AccessTarget, Decisions>()
  const decisions: Decisions = byCollection.get(collection) ?? new Map<Permission, Decision>()
  byCollection.set(collection, decisions)
  decisionCache.set(grants, byCollection)
  return decisions
}

/** Whether an actor has a permission in at least one collection. */
export function hasPermission(actor: Actor, permission: Permission): boolean {
  if (actor.type === 'system') return true
  return actor.type === 'user' && actor.grants.some((grant) => grant.permission === permission)
}

/** Whether an actor has a permission in every collection, including future ones. */
export function hasPermissionEverywhere(actor: Actor, permission: Permission): boolean {
  if (actor.type === 'system') return true
  if (actor.type === 'guest') return false
  return actor.grants.some((grant) => grant.permission === permission && grant.collection === null)
}

/** Permissions granted in at least one collection, in the order of `all`. */
export function heldPermissions(actor: Actor, all: readonly Permission[]): Permission[] {
  return all.filter((permission) => hasPermission(actor, permission))
}

export const appliesTo = (grant: Grant, permission: Permission, collection: CollectionId): boolean =>
  grant.permission === permission && (grant.collection === null || grant.collection === collection)

/**
 * Grants are additive: a record is allowed if any grant covers it, a field if any of those grants includes the field.
 */
function joinGrants(grants: readonly Grant[], all: readonly Grant[], { fields }: AccessTarget): Decision {
  const hiddenFields = new Set<FieldId>()
  const partlyHidden = new Map<FieldId, Filter>()
  const conditions = conditionsOf(grants)
  for (const field of fields) {
    const { id } = field
    const covering = grants.filter((grant) => coversFieldIn(grant, field, fields, all))
    const fieldConditions = conditionsOf(covering)
    if (covering.length === 0) hiddenFields.add(id)
    // `fieldConditions` is a subset of `conditions`, so equal lengths mean equal sets.
    else if (fieldConditions !== undefined && fieldConditions.length !== conditions?.length)
      partlyHidden.set(id, anyFilter(fieldConditions))
  }
  return {
    allowed: true,
    ...(conditions && { where: anyFilter(conditions) }),
    hiddenFields,
    ...(partlyHidden.size > 0 && { partlyHidden }),
    ...grantedDefaultsOf(grants),
  }
}

/** The reverse side of a relation is hidden from actors who can't read the relation in any record. */
function isRelationReadable(field: AccessTarget['fields'][number], grants: readonly Grant[]): boolean {
  if (!('kind' in field) || field.kind !== 'reverse') return true
  const { collection, relation } = field.options
  return grants.some((grant) => appliesTo(grant, 'records:read', collection) && coversField(grant, relation))
}

/** Whether a grant covers a field of a collection, given all grants of the actor. */
export function coversFieldIn(
  grant: Grant,
  field: AccessTarget['fields'][number],
  fields: AccessTarget['fields'],
  all: readonly Grant[],
): boolean {
  if (!coversField(grant, field.id) || !isRelationReadable(field, all)) return false
  return !('kind' in field) || coversInputs(grant, field, fields, all)
}

/**
 * A calculated field discloses its inputs, so a grant covers it only if it names the field or covers all inputs. Other
 * fields are always covered.
 */
function coversInputs(grant: Grant, field: Field, fields: AccessTarget['fields'], all: readonly Grant[]): boolean {
  if (!isComputed(field)) return true
  if (grant.fields !== undefined && 'only' in grant.fields) return true
  const siblings = fields.filter(isDefined)
  const inputs = isFormula(field) ? allInputs(field, siblings) : []
  return (
    inputs.every((input) => coversField(grant, input)) &&
    rollupsBehind(field, siblings).every((each) => coversRollupInputs(grant, each, all))
  )
}

/** Values of rollups are computed from all records, so the actor must be able to read the inputs in all of them. */
function coversRollupInputs(grant: Grant, { options }: Field<RollupKind>, all: readonly Grant[]): boolean {
  const { path, inputs } = options
  const unlimited = all.filter((each) => each.permission === 'records:read' && each.where === undefined)
  const isRead = ({ collection, fields }: RollupInputs): boolean => {
    const grants = unlimited.filter((each) => appliesTo(each, 'records:read', collection))
    return grants.length > 0 && fields.every((field) => grants.some((each) => coversField(each, field)))
  }
  return path.slice(0, 1).every((own) => coversField(grant, own)) && inputs?.every(isRead) === true
}

const isDefined = (field: AccessTarget['fields'][number]): field is Field => 'kind' in field

function grantedDefaultsOf(grants: readonly Grant[]): { readonly presets?: readonly GrantWithDefaults[] } {
  const presets = grants.filter((grant): grant is GrantWithDefaults => grant.presets !== undefined)
  return presets.length === 0 ? {} : { presets }
}

/** Distinct conditions of the grants; undefined if all records are covered. */
function conditionsOf(grants: readonly Grant[]): readonly Filter[] | undefined {
  const conditions = grants.map(({ where }) => where)
  return conditions.includes(undefined) ? undefined : distinctFilters(conditions.filter((one) => one !== undefined))
}

export type AllowedDecision = Extract<Decision, { readonly allowed: true }>

/** Limits a decision to records in which all given fields are readable; undefined if any field is never readable. */
export function whereFieldsReadable(
  decision: AllowedDecision,
  fields: readonly FieldId[],
): AllowedDecision | undefined {
  const { where, hiddenFields, partlyHidden } = decision
  if (fields.some((field) => hiddenFields.has(field))) return undefined
  return withCondition(decision, allFilters([where, ...fields.map((field) => partlyHidden?.get(field))]))
}

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

/** Decision for records not yet filtered by its condition; no field is readable in records that don't match. */
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

/** Whether a field is restricted in some or all of the records covered by an action. */
export type Restriction = 'partly' | 'wholly'

export type RestrictedField = { readonly read?: 'partly'; readonly create?: Restriction; readonly update?: Restriction }

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

/** Returns undefined for actions that aren't allowed at all. */
function restrictionBy(decision: Decision, field: FieldId): Restriction | undefined {
  if (!decision.allowed) return undefined
  if (decision.hiddenFields.has(field)) return 'wholly'
  return decision.partlyHidden?.has(field) ? 'partly' : undefined
}

/** Fields that an actor can't read in every record; counting their empty values would leak data. */
export function unreadableFields(actor: Actor, collection: AccessTarget): ReadonlySet<FieldId> {
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed) return new Set(collection.fields.map(({ id }) => id))
  return new Set([...reading.hiddenFields, ...(reading.partlyHidden?.keys() ?? [])])
}

/** Whether an actor can read all records; if so, counts don't leak data. */
export function readsAllRecords(actor: Actor, collection: AccessTarget): boolean {
  const reading = decide(actor, 'records:read', collection)
  return reading.allowed && reading.where === undefined
}

/** If an actor can read a field in every record, statistics about it don't leak data. */
export const readsFieldEverywhere = (actor: Actor, collection: AccessTarget, field: FieldId): boolean =>
  readsAllRecords(actor, collection) && !unreadableFields(actor, collection).has(field)
