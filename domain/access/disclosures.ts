import type { Collection } from '../collections/collection.ts'
import { type Field, isEntered, isRollup, linkedCollection, type RollupKind } from '../fields/field.ts'
import { allInputs, defaultInputs, linkedBehind } from '../formulas/formula-fields.ts'
import { type Filter, pathsOf } from '../query/filter/filter.ts'
import { comparisonsOf, type PathPart, partsOfPath } from '../query/filter/saved-filter.ts'
import { withRollupInputs } from '#domain/rollups/rollup-fields.ts'
import { unreadableParts, type RuleReader } from '#domain/rules/visible-rules.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { sameJson } from '../shared/json.ts'
import { rulesOf } from '../workflow/workflow.ts'
import type { Actor } from './actor.ts'
import { type Decision, decide, readsAllRecords, unreadableFields } from './decide.ts'
import type { Grant } from './grant.ts'
import type { Permission } from './permission.ts'

/**
 * All the ways in which responses can depend on data that the actor can't read. `tests/access-oracle/noninterference`
 * checks that the list is complete by comparing responses from workspaces that differ in one hidden value.
 */
export const DISCLOSURE_KINDS = [
  'unique',
  'auto-number',
  'formula',
  'rollup',
  'required',
  'rule',
  'condition',
  'unseen-record',
  'transition',
  'status',
  'version',
  'collection-name',
] as const

export type DisclosureKind = (typeof DISCLOSURE_KINDS)[number]

/** ID of the hidden field; null: the existence of hidden records. */
export type HiddenTarget = { readonly collection: CollectionId; readonly field: FieldId | null }

/** What an actor can infer, and the field, rule, transition or permission that reveals it. */
export type Disclosure = {
  readonly kind: DisclosureKind
  readonly collection: CollectionId
  readonly by: string
  readonly reveals: readonly HiddenTarget[]
}

type Definitions = {
  readonly collections: readonly Collection[]
  readonly collectionOf: (id: CollectionId) => Collection | undefined
}

type DisclosureContext = Definitions & {
  readonly actor: Actor
  readonly home: Collection
  readonly reading: Decision
  readonly reader: RuleReader
}

const WRITES: readonly Permission[] = ['records:create', 'records:update', 'records:delete', 'records:transition']

export function disclosuresOf(grants: readonly Grant[], given: readonly Collection[]): readonly Disclosure[] {
  // The time zone doesn't change which fields are inputs.
  const collections = withRollupInputs(given, 'UTC')
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  const definitions: Definitions = { collections, collectionOf: (id) => byId.get(id) }
  const actor: Actor = { type: 'user', userId: '', sessionId: null, name: '', grants }
  return collections.flatMap((home) => {
    const reading = decide(actor, 'records:read', home)
    // Without read access, the actor can't write to the collection either.
    if (!reading.allowed) return []
    const decisionFor = (id: CollectionId): Decision => decide(actor, 'records:read', byId.get(id))
    const context = {
      ...definitions,
      actor,
      home,
      reading,
      reader: { collection: home, collectionOf: definitions.collectionOf, decisionFor },
    }
    return [
      ...fieldDisclosures(context),
      ...ruleDisclosures(context),
      ...conditionDisclosures(context),
      ...hiddenRecordDisclosures(context),
      ...workflowDisclosures(context),
      ...versionDisclosures(context),
      ...collectionNameDisclosures(context),
    ]
  })
}

/** Whether a field is hidden in some or all records. */
function isHidden({ reading }: DisclosureContext, field: FieldId): boolean {
  return !reading.allowed || reading.hiddenFields.has(field) || reading.partlyHidden?.has(field) === true
}

const isFiltered = ({ reading }: DisclosureContext): boolean => reading.allowed && reading.where !== undefined

const isAllowed = ({ actor, home }: DisclosureContext, permission: Permission): boolean =>
  decide(actor, permission, home).allowed

function canWrite({ actor, home }: DisclosureContext, field: FieldId): boolean {
  return (['records:create', 'records:update', 'records:import'] as const).some((permission) => {
    const decision = decide(actor, permission, home)
    return decision.allowed && !decision.hiddenFields.has(field)
  })
}

function fieldDisclosures(context: DisclosureContext): readonly Disclosure[] {
  const { home } = context
  const collection = home.id
  const canCreate = isAllowed(context, 'records:create') || isAllowed(context, 'records:import')
  return home.fields.flatMap((field): readonly Disclosure[] => {
    const by = field.id
    const reveals = [{ collection, field: by }]
    if (field.kind === 'auto-number')
      return canCreate && isFiltered(context)
        ? [{ kind: 'auto-number', collection, by, reveals: [{ collection, field: null }] }]
        : []
    if (field.kind === 'formula') return formulaDisclosures(context, field)
    if (isRollup(field)) return rollupDisclosures(context, by, [field])
    const isConcealed = isHidden(context, by) || isFiltered(context)
    return [
      ...defaultDisclosures(context, field),
      ...(field.unique && isConcealed && canWrite(context, by)
        ? [{ kind: 'unique', collection, by, reveals: [...reveals, { collection, field: null }] } as const]
        : []),
      ...(canCreate && isRequiredAndHidden(context, field)
        ? [{ kind: 'required', collection, by, reveals } as const]
        : []),
    ]
  })
}

/** A field that the actor can read, although its default value is calculated from hidden fields of the new record. */
function defaultDisclosures(context: DisclosureContext, field: Field): readonly Disclosure[] {
  const { home, reading } = context
  if (!reading.allowed || reading.hiddenFields.has(field.id)) return []
  const hidden = defaultInputs(field, home.fields).filter((input) => isHidden(context, input))
  const reveals = hidden.map((input) => ({ collection: home.id, field: input }))
  return hidden.length > 0 ? [{ kind: 'formula', collection: home.id, by: field.id, reveals }] : []
}

/** A formula that the actor can read, although fields from which it is calculated are hidden. */
function formulaDisclosures(context: DisclosureContext, field: Field<'formula'>): readonly Disclosure[] {
  const { home, reading } = context
  const collection = home.id
  const hidden = allInputs(field, home.fields).filter((input) => isHidden(context, input))
  if (!reading.allowed || reading.hiddenFields.has(field.id)) return []
  const reveals = hidden.map((input) => ({ collection, field: input }))
  const rollups = home.fields.filter(isRollup).filter(({ id }) => hidden.includes(id))
  return [
    ...(hidden.length > 0 ? [{ kind: 'formula', collection, by: field.id, reveals } as const] : []),
    ...rollupDisclosures(context, field.id, [...rollups, ...linkedBehind(field, home.fields)]),
  ]
}

/** A field that the actor can read, although it is computed from hidden records or fields by these rollups. */
function rollupDisclosures(
  { actor, home, reading, collectionOf }: DisclosureContext,
  by: FieldId,
  rollups: readonly Field<RollupKind>[],
): readonly Disclosure[] {
  if (!reading.allowed || reading.hiddenFields.has(by)) return []
  const inputs = rollups.flatMap(({ options }) => options.inputs ?? [])
  const reveals = inputs.flatMap(({ collection, fields }): readonly HiddenTarget[] => {
    const there = collectionOf(collection)
    const unread = there ? unreadableFields(actor, there) : new Set(fields)
    const areRecordsHidden = there === undefined || !readsAllRecords(actor, there)
    return [
      ...(areRecordsHidden ? [{ collection, field: null }] : []),
      ...fields.filter((each) => areRecordsHidden || unread.has(each)).map((each) => ({ collection, field: each })),
    ]
  })
  return reveals.length === 0 ? [] : [{ kind: 'rollup', collection: home.id, by, reveals }]
}

/** Whether record creation fails because a hidden field is required. */
const isRequiredAndHidden = (context: DisclosureContext, field: Field): boolean =>
  field.required && isHidden(context, field.id) && !canWrite(context, field.id)

function ruleDisclosures(context: DisclosureContext): readonly Disclosure[] {
  const { home } = context
  if (
    !WRITES.some((permission) => permission !== 'records:delete' && isAllowed(context, permission)) &&
    !isAllowed(context, 'records:import')
  )
    return []
  return (home.rules ?? []).flatMap(({ id, when, then }) => {
    const reveals = [...(when === null ? [] : hiddenIn(context, when)), ...hiddenIn(context, then)]
    return reveals.length === 0 ? [] : [{ kind: 'rule', collection: home.id, by: id, reveals } as const]
  })
}

/** Hidden fields and linked records used in a condition. */
function hiddenIn(context: DisclosureContext, condition: Filter): readonly HiddenTarget[] {
  const unreadable = unreadableParts(condition, context.reader).flatMap(hiddenTargetsOf)
  if (blindWritePermissions(context).length === 0) return unreadable
  const paths = comparisonsOf(condition).flatMap(pathsOf)
  const firstParts = paths.flatMap((path) => partsOfPath(path, context.reader)?.slice(0, 1) ?? [])
  return [...unreadable, ...firstParts.flatMap(hiddenTargetsOf)]
}

function hiddenTargetsOf({ collection: { id: collection }, leaf }: PathPart): readonly HiddenTarget[] {
  const records = { collection, field: null }
  if (leaf.type === 'system') return [records]
  const own = [{ collection, field: leaf.field.id }, records]
  const linked = linkedCollection(leaf.field)
  if (linked === undefined) return own
  const relation = leaf.field.kind === 'reverse' ? [{ collection: linked, field: leaf.field.options.relation }] : []
  return [...own, ...relation, { collection: linked, field: null }]
}

/** Write permissions that also cover records the actor can't read. */
function blindWritePermissions({ actor, home, reading }: DisclosureContext): readonly Permission[] {
  if (!reading.allowed || reading.where === undefined) return []
  const { where } = reading
  return WRITES.filter((permission) => {
    if (permission === 'records:create') return false
    const decision = decide(actor, permission, home)
    return decision.allowed && !(decision.where !== undefined && sameJson(decision.where, where))
  })
}

function conditionDisclosures(context: DisclosureContext): readonly Disclosure[] {
  const { actor, home } = context
  return (['records:read', ...WRITES] as const).flatMap((permission) => {
    const decision = decide(actor, permission, home)
    if (!decision.allowed) return []
    const conditions = [...(decision.where ? [decision.where] : []), ...(decision.partlyHidden?.values() ?? [])]
    const reveals = conditions.flatMap((condition) => hiddenIn(context, condition))
    return reveals.length === 0 ? [] : [{ kind: 'condition', collection: home.id, by: permission, reveals } as const]
  })
}

function hiddenRecordDisclosures(context: DisclosureContext): readonly Disclosure[] {
  const { home } = context
  const reveals = [{ collection: home.id, field: null }]
  return blindWritePermissions(context).map((by) => ({ kind: 'unseen-record', collection: home.id, by, reveals }))
}

/** Data that can be inferred from transition conditions, required fields, and the status, which can lock fields. */
function workflowDisclosures(context: DisclosureContext): readonly Disclosure[] {
  const { home } = context
  const { workflow, id: collection } = home
  if (workflow === undefined) return []
  const writesBlindly = blindWritePermissions(context).length > 0
  const isConcealed = (field: FieldId): boolean => writesBlindly || isHidden(context, field)
  const canTransition = isAllowed(context, 'records:transition')
  const guards = workflow.transitions.flatMap(({ id, when }) => {
    const reveals = when === null ? [] : hiddenIn(context, when)
    return reveals.length === 0 ? [] : [{ kind: 'transition', collection, by: id, reveals } as const]
  })
  const required = home.fields.filter(
    ({ id }) =>
      isConcealed(id) && workflow.transitions.some(({ from }) => rulesOf(workflow, from).requiredToLeave.includes(id)),
  )
  const status = {
    kind: 'status',
    collection,
    by: workflow.field,
    reveals: [{ collection, field: workflow.field }],
  } as const
  const revealsStatus = isConcealed(workflow.field) && (canTransition || isAllowed(context, 'records:update'))
  return [
    ...(canTransition ? guards : []),
    ...(canTransition
      ? required.map(
          ({ id }) => ({ kind: 'required', collection, by: id, reveals: [{ collection, field: id }] }) as const,
        )
      : []),
    ...(revealsStatus ? [status] : []),
  ]
}

/** Changing hidden fields or links increments the record's version and `updatedAt`. */
function versionDisclosures(context: DisclosureContext): readonly Disclosure[] {
  const { home } = context
  const unreadable = home.fields.filter(
    (field) => isEntered(field) && (isHidden(context, field.id) || linksToHidden(context, field)),
  )
  if (unreadable.length === 0) return []
  const reveals = unreadable.map(({ id }) => ({ collection: home.id, field: id }))
  return [{ kind: 'version', collection: home.id, by: 'records:read', reveals }]
}

function linksToHidden({ actor, collectionOf }: DisclosureContext, field: Field): boolean {
  if (field.kind !== 'relation') return false
  const decision = decide(actor, 'records:read', collectionOf(field.options.collection))
  return !decision.allowed || decision.where !== undefined
}

/** Collection names are unique, so a rename reveals whether a hidden collection has that name. */
function collectionNameDisclosures(context: DisclosureContext): readonly Disclosure[] {
  const { actor, home, collections } = context
  if (!isAllowed(context, 'collections:manage')) return []
  const hiddenCollections = collections.filter((collection) => !decide(actor, 'records:read', collection).allowed)
  if (hiddenCollections.length === 0) return []
  const reveals = hiddenCollections.map(({ id }) => ({ collection: id, field: null }))
  return [{ kind: 'collection-name', collection: home.id, by: 'collections:manage', reveals }]
}
