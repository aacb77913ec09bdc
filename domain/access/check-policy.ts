import { type Collection, findField } from '../collections/collection.ts'
import type { Field } from '../fields/field.ts'
import { checkValue } from '../fields/kinds.ts'
import { checkCondition } from '../query/check/check-condition.ts'
import type { Filter } from '../query/filter/filter.ts'
import { withPosition } from '../query/check/check-filter.ts'
import { readDateLiteral } from '#domain/query/filter/relative-dates.ts'
import { attributeNameOf } from '#domain/query/filter/attribute-markers.ts'
import { parseFilter } from '../query/filter/parse-filter.ts'
import type { PathContext } from '../query/filter/saved-filter.ts'
import { hasReferences } from '#domain/fields/text.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { type PartProblem, partProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import { type FieldSet, type Grant, type GrantDefault, type Marker, isMarker, isPerCollection } from './grant.ts'
import { effectiveGrant, grantFault, grantInputFault } from './grant-inputs.ts'
import { type GrantPart, type Permission, supportsPart } from './permission.ts'
import { MAX_GRANTS, type Policy, type PolicyGrant } from './policy.ts'
import { SELF_CHOSEN_ATTRIBUTES } from './user.ts'

/** Submitted grant: collections and fields by name or ID, condition as text or tree. */
export type GrantDraft = {
  readonly id?: string | undefined
  readonly permission: Permission
  readonly collection: string | null
  readonly where?: string | Filter | null | undefined
  readonly fields?: { readonly only: readonly string[] } | { readonly except: readonly string[] } | null | undefined
  readonly presets?: { readonly [field: string]: unknown } | null | undefined
}

export type PolicyContext = {
  readonly find: (nameOrId: string) => Collection | undefined
  readonly collectionOf: (id: CollectionId) => Collection | undefined
  readonly attributeNames: readonly string[]
  readonly newId: () => string
}

/** Stands for all collections in grants that apply to every collection; conditions can then only use system fields. */
export const ANY_COLLECTION: Collection = {
  id: '',
  name: '',
  label: 'every collection',
  fields: [],
  titleField: null,
  version: 0,
}

export function checkGrants(
  drafts: readonly GrantDraft[],
  context: PolicyContext,
): Result<readonly PolicyGrant[], readonly PartProblem[]> {
  if (drafts.length > MAX_GRANTS) {
    return fail([
      partProblem(
        'grants',
        'too-many',
        `A policy can have at most ${MAX_GRANTS} grants. Split it into several policies.`,
      ),
    ])
  }
  const problems: PartProblem[] = []
  const seen = new Set<string>()
  const grants = drafts.flatMap((draft, at): PolicyGrant[] => {
    const checked = checkGrant(draft, context, `grants.${at}`)
    problems.push(...checked.problems)
    const id = draft.id !== undefined && !seen.has(draft.id) ? draft.id : context.newId()
    seen.add(id)
    return [{ ...checked.grant, id }]
  })
  return problems.length > 0 ? fail(problems) : ok(grants)
}

type CheckedGrant = { readonly grant: Omit<PolicyGrant, 'id'>; readonly problems: readonly PartProblem[] }

function checkGrant(draft: GrantDraft, context: PolicyContext, path: string): CheckedGrant {
  const { permission } = draft
  const found = draft.collection === null ? undefined : context.find(draft.collection)
  const target = { permission, collection: found?.id ?? null }
  const problems = targetProblems(draft, found, path)
  if (problems.length > 0) return { grant: target, problems }

  const where = checkWhere(draft, found ?? ANY_COLLECTION, context, `${path}.where`)
  const fields = checkFields(draft, found, `${path}.fields`)
  const presets = checkDefaults(draft, found, context, `${path}.presets`)
  return {
    grant: {
      ...target,
      ...(where.value && { where: where.value }),
      ...(fields.value && { fields: fields.value }),
      ...(presets.value && { presets: presets.value }),
    },
    problems: [...where.problems, ...fields.problems, ...presets.problems],
  }
}

function targetProblems(draft: GrantDraft, found: Collection | undefined, path: string): PartProblem[] {
  const { permission, collection } = draft
  const problems: PartProblem[] = []
  for (const part of ['where', 'fields', 'presets'] as const) {
    const isGiven = draft[part] !== undefined && draft[part] !== null
    if (isGiven && !supportsPart(permission, part)) {
      problems.push(
        partProblem(`${path}.${part}`, 'out-of-place', `Not supported by “${permission}”: ${PART_LABELS[part]}.`),
      )
    }
  }
  if (collection === null) return problems
  if (!isPerCollection(permission)) {
    problems.push(
      partProblem(
        `${path}.collection`,
        'out-of-place',
        `“${permission}” applies to the whole workspace, not to a collection.`,
      ),
    )
  } else if (!found) {
    problems.push(partProblem(`${path}.collection`, 'unknown-collection', `There is no collection “${collection}”.`))
  }
  return problems
}

const PART_LABELS: { readonly [Part in GrantPart]: string } = {
  where: 'condition',
  fields: 'list of fields',
  presets: 'default values',
}

type Part<Value> = { readonly value?: Value; readonly problems: readonly PartProblem[] }

function checkWhere({ where }: GrantDraft, collection: Collection, context: PolicyContext, path: string): Part<Filter> {
  if (where === undefined || where === null || where === '') return { problems: [] }
  const { collectionOf, attributeNames } = context
  const excluded = inputFault(where, { collection, collectionOf }, path)
  if (excluded) return { problems: [excluded] }
  const checked = checkCondition(where, { collection, collectionOf, attributeNames })
  if (!checked.ok) {
    const { code, message, path: inside, position } = checked.fault
    const found = partProblem(path + inside.replace(/^filter/, ''), code, message)
    return { problems: [{ ...found, ...(position !== undefined && { position }) }] }
  }
  return { value: checked.value, problems: [] }
}

/** Finds a reference that isn't supported in grants; includes its position if the condition is text. */
function inputFault(where: string | Filter, context: PathContext, path: string): PartProblem | undefined {
  const parsed = typeof where === 'string' ? parseFilter(where) : undefined
  const tree = typeof where === 'string' ? (parsed?.ok ? parsed.value.filter : undefined) : where
  const fault = tree && grantInputFault(tree, context)
  if (!fault) return undefined
  const position = parsed?.ok ? parsed.value.places.get(fault.condition)?.[fault.part] : undefined
  const found = partProblem(path, 'invalid-filter', fault.message)
  return position === undefined ? found : { ...found, message: withPosition(fault.message, position), position }
}

function checkFields({ fields }: GrantDraft, collection: Collection | undefined, path: string): Part<FieldSet> {
  if (fields === undefined || fields === null) return { problems: [] }
  if (!collection)
    return { problems: [partProblem(path, 'out-of-place', 'Choose a collection before limiting its fields.')] }
  const isOnly = 'only' in fields
  const { found, problems } = findFields(isOnly ? fields.only : fields.except, collection, path)
  return problems.length > 0 ? { problems } : { value: isOnly ? { only: found } : { except: found }, problems }
}

function findFields(names: readonly string[], collection: Collection, path: string) {
  const problems: PartProblem[] = []
  const found = names.flatMap((name): FieldId[] => {
    const field = findField(collection, name)
    if (field) return [field.id]
    problems.push(partProblem(path, 'unknown-field', `There is no field “${name}” in ${collection.label}.`))
    return []
  })
  return { found: [...new Set(found)], problems }
}

type GrantDefaults = { readonly [field: FieldId]: GrantDefault }

function checkDefaults(
  { presets }: GrantDraft,
  collection: Collection | undefined,
  context: PolicyContext,
  path: string,
): Part<GrantDefaults> {
  const given = Object.entries(presets ?? {})
  if (given.length === 0) return { problems: [] }
  if (!collection)
    return { problems: [partProblem(path, 'out-of-place', 'Choose a collection before setting default values.')] }
  const problems: PartProblem[] = []
  const values: { [field: FieldId]: GrantDefault } = {}
  for (const [name, value] of given) {
    const field = findField(collection, name)
    const checked = field ? checkDefault(field, value, context) : fail(`There is no field “${name}”.`)
    if (field && checked.ok) values[field.id] = checked.value
    else if (!checked.ok) problems.push(partProblem(`${path}.${name}`, 'bad-preset', checked.fault))
  }
  return problems.length > 0 ? { problems } : { value: values, problems }
}

function checkDefault(field: Field, value: unknown, { attributeNames }: PolicyContext): Result<GrantDefault, string> {
  if (field.kind === 'auto-number' || field.kind === 'files') return fail(`${field.label} can’t have a default value.`)
  if (isMarker(value)) return checkMarker(field, value, attributeNames)
  const checked = checkValue(field, value)
  if (checked.ok && hasReferences(checked.value))
    return fail(`The default value of ${field.label} can’t contain files or mentions.`)
  return checked.ok ? ok(checked.value) : fail(checked.fault.message)
}

/** Markers are resolved when a record is created, so only their format is checked here. */
function checkMarker(field: Field, value: Marker, attributeNames: readonly string[]): Result<GrantDefault, string> {
  const { marker } = value
  const attribute = attributeNameOf(value)
  const reject = () => fail(`${marker} can’t be the default value of ${field.label}.`)
  if (marker === '@me') return field.kind === 'user' ? ok(value) : reject()
  if (attribute !== undefined) {
    // Attributes that users choose themselves would let them write arbitrary text to fields that they can't edit.
    const isDefined = attributeNames.includes(attribute) && !SELF_CHOSEN_ATTRIBUTES.has(attribute)
    return isDefined && TEXT_KINDS.has(field.kind) ? ok(value) : reject()
  }
  const date = readDateLiteral(marker, { now: new Date(0), timeZone: 'UTC' })
  const fits = field.kind === 'date' || (field.kind === 'date-time' && date?.type === 'instant')
  return date && fits ? ok(value) : reject()
}

const TEXT_KINDS: ReadonlySet<Field['kind']> = new Set([
  'text',
  'long-text',
  'select',
  'multi-select',
  'state',
  'email',
  'url',
  'phone',
])

type CollectionOf = (id: CollectionId) => Collection | undefined

/** Replaces unsupported conditions with conditions that match nothing. */
export const effectivePolicy = (policy: Policy, collectionOf: CollectionOf): Policy => ({
  ...policy,
  grants: policy.grants.map((grant) => {
    const context = pathContextOf(grant, collectionOf)
    return context ? effectiveGrant(grant, context) : grant
  }),
})

/** Explains why a saved grant no longer has its full effect. */
export function savedGrantFault(grant: Grant, collectionOf: CollectionOf): string | undefined {
  const context = pathContextOf(grant, collectionOf)
  return context && grantFault(grant, context)
}

function pathContextOf({ collection: id }: Grant, collectionOf: CollectionOf): PathContext | undefined {
  const collection = id === null ? ANY_COLLECTION : collectionOf(id)
  return collection && { collection, collectionOf }
}
