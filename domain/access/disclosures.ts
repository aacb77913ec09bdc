import type { Collection } from '../collections/collection.ts'
import type { Field } from '../fields/field.ts'
import { type Filter, pathsOf } from '../query/filter.ts'
import { comparisonsOf, type PathPart, partsOfPath } from '../query/saved-filter.ts'
import { unreadableParts, type RuleReader } from '#domain/rules/visible-rules.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { sameJson } from '../shared/json.ts'
import { rulesOf } from '../workflow/workflow.ts'
import type { Actor } from './actor.ts'
import { type Decision, decide } from './decide.ts'
import type { Grant } from './grant.ts'
import type { Permission } from './permission.ts'

/**
 * Every way in which a request answers a question about what its actor may not read. This list is complete: two
 * workspaces that differ in one hidden value answer alike in every other case, which
 * `tests/access-oracle/noninterference` tests.
 */
export const DISCLOSURE_KINDS = [
  'unique',
  'auto-number',
  'required',
  'rule',
  'condition',
  'unseen-record',
  'transition',
  'status',
  'version',
  'collection-name',
] as const

/** One of these ways. */
export type DisclosureKind = (typeof DISCLOSURE_KINDS)[number]

/** A hidden field, or null: whether there are records that are out of sight. */
export type HiddenThing = { readonly collection: CollectionId; readonly field: FieldId | null }

/**
 * What an actor can infer about hidden values of a collection, and through which field, rule, transition or permission.
 */
export type Disclosure = {
  readonly kind: DisclosureKind
  readonly collection: CollectionId
  readonly by: string
  readonly tells: readonly HiddenThing[]
}

type Definitions = {
  readonly collections: readonly Collection[]
  readonly collectionOf: (id: CollectionId) => Collection | undefined
}

/** What is asked about one collection: how its records are read, and by whom. */
type DisclosureContext = Definitions & {
  readonly actor: Actor
  readonly home: Collection
  readonly reading: Decision
  readonly reader: RuleReader
}

const WRITES: readonly Permission[] = ['records:create', 'records:update', 'records:delete', 'records:transition']

/** What an actor with exactly these grants can infer about hidden values. */
export function disclosuresOf(grants: readonly Grant[], collections: readonly Collection[]): readonly Disclosure[] {
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  const definitions: Definitions = { collections, collectionOf: (id) => byId.get(id) }
  const actor: Actor = { type: 'user', userId: '', sessionId: null, name: '', grants }
  return collections.flatMap((home) => {
    const reading = decide(actor, 'records:read', home)
    // Without reading there is no collection to write in.
    if (!reading.allowed) return []
    const decisionFor = (id: CollectionId): Decision => decide(actor, 'records:read', byId.get(id))
    const place = {
      ...definitions,
      actor,
      home,
      reading,
      reader: { collection: home, collectionOf: definitions.collectionOf, decisionFor },
    }
    return [
      ...ofFields(place),
      ...ofRules(place),
      ...ofConditions(place),
      ...ofHiddenRecords(place),
      ...ofWorkflow(place),
      ...ofVersions(place),
      ...ofCollectionNames(place),
    ]
  })
}

/** Whether a field is hidden from the reader, in some records or in all. */
function isHidden({ reading }: DisclosureContext, field: FieldId): boolean {
  return !reading.allowed || reading.hiddenFields.has(field) || reading.partlyHidden?.has(field) === true
}

const isBounded = ({ reading }: DisclosureContext): boolean => reading.allowed && reading.where !== undefined

const may = ({ actor, home }: DisclosureContext, permission: Permission): boolean =>
  decide(actor, permission, home).allowed

function mayWrite({ actor, home }: DisclosureContext, field: FieldId): boolean {
  return (['records:create', 'records:update', 'records:import'] as const).some((permission) => {
    const decision = decide(actor, permission, home)
    return decision.allowed && !decision.hiddenFields.has(field)
  })
}

function ofFields(place: DisclosureContext): readonly Disclosure[] {
  const { home } = place
  const collection = home.id
  const makes = may(place, 'records:create') || may(place, 'records:import')
  return home.fields.flatMap((field): readonly Disclosure[] => {
    const by = field.id
    const tells = [{ collection, field: by }]
    if (field.kind === 'auto-number')
      return makes && isBounded(place)
        ? [{ kind: 'auto-number', collection, by, tells: [{ collection, field: null }] }]
        : []
    const isOutOfSight = isHidden(place, by) || isBounded(place)
    return [
      ...(field.unique && isOutOfSight && mayWrite(place, by)
        ? [{ kind: 'unique', collection, by, tells: [...tells, { collection, field: null }] } as const]
        : []),
      ...(makes && isRequiredAndHidden(place, field) ? [{ kind: 'required', collection, by, tells } as const] : []),
    ]
  })
}

/** Whether nothing can be added because a field that is out of sight must be filled in. */
const isRequiredAndHidden = (place: DisclosureContext, field: Field): boolean =>
  field.required && isHidden(place, field.id) && !mayWrite(place, field.id)

function ofRules(place: DisclosureContext): readonly Disclosure[] {
  const { home } = place
  if (
    !WRITES.some((permission) => permission !== 'records:delete' && may(place, permission)) &&
    !may(place, 'records:import')
  )
    return []
  return (home.rules ?? []).flatMap(({ id, when, then }) => {
    const tells = [...(when === null ? [] : hiddenIn(place, when)), ...hiddenIn(place, then)]
    return tells.length === 0 ? [] : [{ kind: 'rule', collection: home.id, by: id, tells } as const]
  })
}

/** What a condition reads of what is out of sight: fields, and records behind relations. */
function hiddenIn(place: DisclosureContext, condition: Filter): readonly HiddenThing[] {
  const unread = unreadableParts(condition, place.reader).flatMap(hiddenThingsOf)
  if (blindWritePermissions(place).length === 0) return unread
  // In records that are not seen every field is hidden.
  const paths = comparisonsOf(condition).flatMap(pathsOf)
  const firsts = paths.flatMap((path) => partsOfPath(path, place.reader)?.slice(0, 1) ?? [])
  return [...unread, ...firsts.flatMap(hiddenThingsOf)]
}

/** A field, and the records it may point at. */
function hiddenThingsOf({ collection: { id: collection }, leaf }: PathPart): readonly HiddenThing[] {
  const records = { collection, field: null }
  if (leaf.type === 'system') return [records]
  const own = [{ collection, field: leaf.field.id }, records]
  return leaf.field.kind === 'relation' ? [...own, { collection: leaf.field.options.collection, field: null }] : own
}

/** The permissions to change records the actor cannot read. */
function blindWritePermissions({ actor, home, reading }: DisclosureContext): readonly Permission[] {
  if (!reading.allowed || reading.where === undefined) return []
  const { where } = reading
  return WRITES.filter((permission) => {
    if (permission === 'records:create') return false
    const decision = decide(actor, permission, home)
    return decision.allowed && !(decision.where !== undefined && sameJson(decision.where, where))
  })
}

function ofConditions(place: DisclosureContext): readonly Disclosure[] {
  const { actor, home } = place
  return (['records:read', ...WRITES] as const).flatMap((permission) => {
    const decision = decide(actor, permission, home)
    if (!decision.allowed) return []
    const conditions = [...(decision.where ? [decision.where] : []), ...(decision.partlyHidden?.values() ?? [])]
    const tells = conditions.flatMap((condition) => hiddenIn(place, condition))
    return tells.length === 0 ? [] : [{ kind: 'condition', collection: home.id, by: permission, tells } as const]
  })
}

function ofHiddenRecords(place: DisclosureContext): readonly Disclosure[] {
  const { home } = place
  const tells = [{ collection: home.id, field: null }]
  return blindWritePermissions(place).map((by) => ({ kind: 'unseen-record', collection: home.id, by, tells }))
}

/** Transitions by what they depend on, required fields, and the status itself, which frozen fields follow. */
function ofWorkflow(place: DisclosureContext): readonly Disclosure[] {
  const { home } = place
  const { workflow, id: collection } = home
  if (workflow === undefined) return []
  const isUnseen = blindWritePermissions(place).length > 0
  const isOutOfSight = (field: FieldId): boolean => isUnseen || isHidden(place, field)
  const moves = may(place, 'records:transition')
  const guards = workflow.transitions.flatMap(({ id, when }) => {
    const tells = when === null ? [] : hiddenIn(place, when)
    return tells.length === 0 ? [] : [{ kind: 'transition', collection, by: id, tells } as const]
  })
  const required = home.fields.filter(
    ({ id }) =>
      isOutOfSight(id) && workflow.transitions.some(({ from }) => rulesOf(workflow, from).requiredToLeave.includes(id)),
  )
  const status = {
    kind: 'status',
    collection,
    by: workflow.field,
    tells: [{ collection, field: workflow.field }],
  } as const
  const isStatusTold = isOutOfSight(workflow.field) && (moves || may(place, 'records:update'))
  return [
    ...(moves ? guards : []),
    ...(moves
      ? required.map(
          ({ id }) => ({ kind: 'required', collection, by: id, tells: [{ collection, field: id }] }) as const,
        )
      : []),
    ...(isStatusTold ? [status] : []),
  ]
}

/**
 * Changes of hidden fields, and of relations that lead out of sight, raise the version of a record and its time of
 * change.
 */
function ofVersions(place: DisclosureContext): readonly Disclosure[] {
  const { home } = place
  const unread = home.fields.filter((field) => isHidden(place, field.id) || leadsOutOfSight(place, field))
  if (unread.length === 0) return []
  const tells = unread.map(({ id }) => ({ collection: home.id, field: id }))
  return [{ kind: 'version', collection: home.id, by: 'records:read', tells }]
}

function leadsOutOfSight({ actor, collectionOf }: DisclosureContext, field: Field): boolean {
  if (field.kind !== 'relation') return false
  const decision = decide(actor, 'records:read', collectionOf(field.options.collection))
  return !decision.allowed || decision.where !== undefined
}

/** Names of collections are unique, so changing one tells whether a collection that is not seen has the new name. */
function ofCollectionNames(place: DisclosureContext): readonly Disclosure[] {
  const { actor, home, collections } = place
  if (!may(place, 'collections:manage')) return []
  const unseen = collections.filter((collection) => !decide(actor, 'records:read', collection).allowed)
  if (unseen.length === 0) return []
  const tells = unseen.map(({ id }) => ({ collection: id, field: null }))
  return [{ kind: 'collection-name', collection: home.id, by: 'collections:manage', tells }]
}
