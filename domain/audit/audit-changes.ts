import type { Collection } from '../collections/collection.ts'
import { describePermission, joinNames } from '#domain/access/describe-grant.ts'
import { type Permission, PERMISSIONS } from '../access/permission.ts'
import type { Policy, PolicyGrant, Role } from '../access/policy.ts'
import { type Field, hasSelectOptions } from '../fields/field.ts'
import { type Json, sameJson } from '../shared/json.ts'

/** Scope of a grant, with names instead of IDs; empty if unlimited. */
export type AuditExtent = {
  readonly where?: string | undefined
  readonly only?: string[] | undefined
  readonly except?: string[] | undefined
  readonly presets?: string[] | undefined
}

export type AuditValue = string | boolean | AuditExtent | null

/** `before` and `after` are both null if the audit log doesn't record the values. */
export type AuditChange = {
  /** A permission or a key of `PROPERTIES`. */
  readonly property: string
  /** Name of the changed field, rule, transition or collection; empty for the audited object itself. */
  readonly of: string
  readonly before: AuditValue
  readonly after: AuditValue
}

/** In characters. */
const MAX_VALUE = 200
const MAX_CHANGES = 100

const truncate = (text: string): string => (text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text)

const kept = (value: Properties[string]): string | boolean | null => (value === '' ? null : (value ?? null))

const shortened = (value: string | boolean | null) => (typeof value === 'string' ? truncate(value) : value)

type Properties = { readonly [property: string]: string | boolean | null | undefined }

function changedProperties(of: string, was: Properties, is: Properties): readonly AuditChange[] {
  return Object.keys(was).flatMap((property) => {
    const [before, after] = [kept(was[property]), kept(is[property])]
    return before === after ? [] : [{ property, of, before: shortened(before), after: shortened(after) }]
  })
}

const changedWithoutValues = (property: string, of: string, was: unknown, is: unknown): readonly AuditChange[] =>
  sameJson((was ?? null) as Json, (is ?? null) as Json) ? [] : [{ property, of, before: null, after: null }]

const NO_ROLE: Role = { id: '', name: '', about: '', policies: [], version: 0 }

export function roleChanges(
  before: Role | null,
  after: Role | null,
  policyName: (id: string) => string,
): readonly AuditChange[] {
  const textsOf = ({ name, about, policies }: Role) => ({ name, about, policies: policies.map(policyName).join(', ') })
  return changedProperties('', textsOf(before ?? NO_ROLE), textsOf(after ?? NO_ROLE))
}

export type GrantNames = {
  readonly collection: (grant: PolicyGrant) => string
  readonly extent: (grant: PolicyGrant) => AuditExtent
}

const NO_POLICY: Policy = { id: '', name: '', about: '', grants: [], examples: [], version: 0 }

export function policyChanges(before: Policy | null, after: Policy | null, names: GrantNames): readonly AuditChange[] {
  const [old, next] = [before ?? NO_POLICY, after ?? NO_POLICY]
  const grantsOf = ({ grants }: Policy) => new Map(grants.map((grant) => [grant.id, grant]))
  const textsOf = ({ name, about }: Policy) => ({ name, about })
  const [was, is] = [grantsOf(old), grantsOf(next)]
  const ids = [...new Set([...was.keys(), ...is.keys()])]
  return [
    ...changedProperties('', textsOf(old), textsOf(next)),
    ...ids.flatMap((id) => grantChanges(was.get(id), is.get(id), names)),
    ...changedWithoutValues('examples', '', old.examples, next.examples),
  ].slice(0, MAX_CHANGES)
}

function grantChanges(
  was: PolicyGrant | undefined,
  is: PolicyGrant | undefined,
  names: GrantNames,
): readonly AuditChange[] {
  const change = (grant: PolicyGrant, from: PolicyGrant | undefined, to: PolicyGrant | undefined): AuditChange => ({
    property: grant.permission,
    of: names.collection(grant),
    before: from ? names.extent(from) : null,
    after: to ? names.extent(to) : null,
  })
  if (was && is && was.permission === is.permission && was.collection === is.collection)
    return changedWithoutValues('', '', was, is).map(() => change(is, was, is))
  return [...(was ? [change(was, was, undefined)] : []), ...(is ? [change(is, undefined, is)] : [])]
}

const NO_COLLECTION: Collection = { id: '', name: '', label: '', fields: [], titleField: null, version: 0 }

/** Never contains record values, default values or conditions. */
export function collectionChanges(before: Collection | null, after: Collection | null): readonly AuditChange[] {
  const [old, next] = [before ?? NO_COLLECTION, after ?? NO_COLLECTION]
  return [
    ...changedProperties('', textsOfCollection(old), textsOfCollection(next)),
    ...fieldsChanges(old.fields, next.fields),
    ...partChanges('rule', old.rules, next.rules, ({ message }) => message),
    ...partChanges('transition', old.workflow?.transitions, next.workflow?.transitions, ({ name }) => name),
    ...changedWithoutValues('statuses', '', old.workflow?.states ?? {}, next.workflow?.states ?? {}),
    ...changedWithoutValues('recordLayout', '', old.layout, next.layout),
  ].slice(0, MAX_CHANGES)
}

const textsOfCollection = (collection: Collection): Properties => {
  const { label, name, titleField, fields, group, icon, color, description } = collection
  return {
    label,
    collectionName: name,
    titleField: fields.find(({ id }) => id === titleField)?.label,
    group,
    icon,
    color,
    description,
  }
}

function fieldsChanges(before: readonly Field[], after: readonly Field[]): readonly AuditChange[] {
  const kept = after.filter(({ id }) => before.some((field) => field.id === id)).map(({ id }) => id)
  const order = before.filter(({ id }) => kept.includes(id)).map(({ id }) => id)
  return [
    ...before
      .filter(({ id }) => !kept.includes(id))
      .map(({ label, kind }) => ({ property: 'field', of: label, before: kind, after: null })),
    ...after.flatMap((field): readonly AuditChange[] => {
      const was = before.find(({ id }) => id === field.id)
      return was ? fieldChanges(was, field) : [{ property: 'field', of: field.label, before: null, after: field.kind }]
    }),
    ...changedWithoutValues('fieldOrder', '', order, kept),
  ]
}

function fieldChanges(before: Field, after: Field): readonly AuditChange[] {
  const textsOf = (field: Field): Properties => ({
    fieldLabel: field.label,
    fieldDescription: field.description,
    fieldName: field.name,
    fieldKind: field.kind,
    fieldRequired: field.required,
    fieldUnique: field.unique,
    fieldChoices: hasSelectOptions(field) ? field.options.choices.map(({ name }) => name).join(', ') : '',
  })
  const rest = ({ options }: Field) => ({ ...options, choices: null })
  const defaultOf = ({ default: value, defaultFormula }: Field) => ({ value, formula: defaultFormula ?? null })
  return [
    ...changedProperties(after.label, textsOf(before), textsOf(after)),
    ...changedWithoutValues('fieldDefault', after.label, defaultOf(before), defaultOf(after)),
    ...changedWithoutValues('fieldOptions', after.label, rest(before), rest(after)),
  ]
}

function partChanges<Part extends { readonly id: string }>(
  property: 'rule' | 'transition',
  before: readonly Part[] = [],
  after: readonly Part[] = [],
  nameOf: (part: Part) => string,
): readonly AuditChange[] {
  return [
    ...before
      .filter(({ id }) => !after.some((part) => part.id === id))
      .map((part) => ({ property, of: truncate(nameOf(part)), before: true, after: null })),
    ...after.flatMap((part): readonly AuditChange[] => {
      const was = before.find(({ id }) => id === part.id)
      return was
        ? changedWithoutValues(property, truncate(nameOf(part)), was, part)
        : [{ property, of: truncate(nameOf(part)), before: null, after: true }]
    }),
  ]
}

const PROPERTIES = {
  name: () => 'Name',
  about: () => 'Description',
  policies: () => 'Policies',
  examples: () => 'Saved examples',
  label: () => 'Label',
  collectionName: () => 'API name',
  titleField: () => 'Primary field',
  group: () => 'Sidebar group',
  icon: () => 'Icon',
  color: () => 'Color',
  description: () => 'Description',
  field: (of: string) => `Field “${of}”`,
  fieldOrder: () => 'Field order',
  fieldLabel: (of: string) => `“${of}” label`,
  fieldDescription: (of: string) => `“${of}” description`,
  fieldName: (of: string) => `“${of}” API name`,
  fieldKind: (of: string) => `“${of}” field type`,
  fieldRequired: (of: string) => `“${of}” required`,
  fieldUnique: (of: string) => `“${of}” unique`,
  fieldChoices: (of: string) => `“${of}” options`,
  fieldDefault: (of: string) => `“${of}” default value`,
  fieldOptions: (of: string) => `“${of}” settings`,
  rule: (of: string) => `Validation rule “${of}”`,
  transition: (of: string) => `Transition “${of}”`,
  statuses: () => 'Status requirements',
  recordLayout: () => 'Record layout',
} as const

const isProperty = (property: string): property is keyof typeof PROPERTIES => Object.hasOwn(PROPERTIES, property)

const isPermission = (property: string): property is Permission => PERMISSIONS.some((known) => known === property)

/** For example “Can view Tasks: all → where status = "open"”. */
export function describeAuditChange({ property, of, before, after }: AuditChange): string {
  const what = isPermission(property)
    ? `Can ${describePermission(property, of === '' ? 'everything' : of)}`
    : isProperty(property)
      ? PROPERTIES[property](of)
      : property
  if (before === null && after === null) return `${what}: changed`
  if (before === null && after === true) return `${what}: added`
  if (after === null && before === true) return `${what}: removed`
  return `${what}: ${describeValue(before)} → ${describeValue(after)}`
}

function describeValue(value: AuditValue): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : describeExtent(value)
}

function describeExtent({ where, only, except, presets }: AuditExtent): string {
  const parts = [
    where === undefined ? [] : `where ${where}`,
    only === undefined ? [] : `only ${joinNames(only)}`,
    except === undefined || except.length === 0 ? [] : `without ${joinNames(except)}`,
  ].flat()
  const filled = presets === undefined || presets.length === 0 ? [] : [`fills in ${joinNames(presets)}`]
  return [...(parts.length === 0 ? ['all'] : parts), ...filled].join(' · ')
}
