import type { Filter } from '#domain/query/filter/filter.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { FieldSet, Grant } from './grant.ts'
import type { Permission } from './permission.ts'

export type Coverage = 'none' | 'some' | 'all'

export type GrantLabels = {
  readonly labelOf: (field: FieldId) => string | undefined
  readonly describeCondition: (where: Filter) => string
}

/** Properties of a grant that its description includes. */
type GrantExtent = Pick<Grant, 'where' | 'fields' | 'presets'>

/** Whether a condition is exactly “created by me”. */
export const isOwnRecordsOnly = (where: Filter | undefined): boolean =>
  where !== undefined &&
  'field' in where &&
  where.field === 'createdBy' &&
  where.op === '=' &&
  (where.value === '@me' || sameJson(where.value ?? null, { marker: '@me' }))

function describeRecords(where: Filter | undefined, { describeCondition }: GrantLabels): string {
  if (where === undefined) return 'all records'
  return isOwnRecordsOnly(where) ? 'only records they created' : `only where ${describeCondition(where)}`
}

function describeFields(fields: FieldSet | undefined, labels: GrantLabels): string | undefined {
  if (fields === undefined) return undefined
  const isOnly = 'only' in fields
  const named = labelsOf(isOnly ? fields.only : fields.except, labels)
  if (named.length === 0) return isOnly ? 'no fields' : undefined
  return isOnly ? `only ${joinNames(named)}` : `without ${joinNames(named)}`
}

function describeDefaults(presets: GrantExtent['presets'], labels: GrantLabels): string | undefined {
  const withDefaults = labelsOf(Object.keys(presets ?? {}), labels)
  return withDefaults.length === 0 ? undefined : `sets ${joinNames(withDefaults)} by default`
}

/** For example “only records they created · without Salary”; “all” if unlimited. */
export function describeExtent({ where, fields, presets }: GrantExtent, labels: GrantLabels): string {
  const limits = [where === undefined ? undefined : describeRecords(where, labels), describeFields(fields, labels)]
  const isAll = limits.every((part) => part === undefined)
  return joinPhrases([isAll ? 'all' : undefined, ...limits, describeDefaults(presets, labels)])
}

const joinPhrases = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' · ')

export function describeCombined(
  grants: readonly GrantExtent[],
  labels: GrantLabels,
): { readonly coverage: Coverage; readonly text: string } {
  const extents = joinExtents(grants)
  if (extents.length === 0) return { coverage: 'none', text: 'no' }
  const isWhole = extents.some(({ where, fields }) => where === undefined && fields === undefined)
  return { coverage: isWhole ? 'all' : 'some', text: describeExtents(extents, labels) }
}

/**
 * If conditions cover different fields, each condition is listed with its fields, because “all” alone would be
 * misleading.
 */
function describeExtents(extents: readonly GrantExtent[], labels: GrantLabels): string {
  const isPlain = extents.length === 1 || extents.every(({ fields }) => fields === undefined)
  // Grants without a condition come first, because the others add to them.
  const ordered = [
    ...extents.filter(({ where }) => where === undefined),
    ...extents.filter(({ where }) => where !== undefined),
  ]
  return ordered
    .map((extent) => (isPlain ? describeExtent(extent, labels) : describeWholeExtent(extent, labels)))
    .reduce((text, more) => `${text}; also ${more}`)
}

const describeWholeExtent = ({ where, fields, presets }: GrantExtent, labels: GrantLabels): string =>
  joinPhrases([
    describeRecords(where, labels),
    describeFields(fields, labels) ?? 'all fields',
    describeDefaults(presets, labels),
  ])

/** Merges grants with the same condition and drops grants that are covered by another grant. */
function joinExtents(grants: readonly GrantExtent[]): readonly GrantExtent[] {
  const joined: GrantExtent[] = []
  for (const grant of grants) {
    const at = joined.findIndex(({ where }) => sameJson(where ?? null, grant.where ?? null))
    const known = joined[at]
    if (known === undefined) joined.push(grant)
    else joined[at] = mergeExtents(known, grant)
  }
  return joined.filter((extent, at) => !joined.some((other, place) => place !== at && isBroader(other, extent)))
}

const isBroader = (other: GrantExtent, { fields, presets }: GrantExtent): boolean =>
  other.where === undefined &&
  presets === undefined &&
  (other.fields === undefined || sameJson(other.fields, fields ?? null))

function mergeExtents(one: GrantExtent, other: GrantExtent): GrantExtent {
  const fields = unionFields(one.fields, other.fields)
  const presets = { ...other.presets, ...one.presets }
  return {
    ...(one.where && { where: one.where }),
    ...(fields && { fields }),
    ...(Object.keys(presets).length > 0 && { presets }),
  }
}

/** Union of two field sets; undefined means all fields. */
function unionFields(one: FieldSet | undefined, other: FieldSet | undefined): FieldSet | undefined {
  if (one === undefined || other === undefined) return undefined
  if ('only' in one) return 'only' in other ? { only: [...new Set([...one.only, ...other.only])] } : without(other, one)
  return 'only' in other ? without(one, other) : exceptOrAll(one.except.filter((id) => other.except.includes(id)))
}

const without = (
  { except }: { readonly except: readonly FieldId[] },
  { only }: { readonly only: readonly FieldId[] },
) => exceptOrAll(except.filter((id) => !only.includes(id)))

const exceptOrAll = (except: readonly FieldId[]): FieldSet | undefined => (except.length === 0 ? undefined : { except })

const labelsOf = (fields: readonly FieldId[], { labelOf }: GrantLabels): readonly string[] => [
  ...new Set(fields.map((field) => labelOf(field) ?? 'another field')),
]

const MAX_NAMED = 3

/** “A, B and C” or “A, B, C and 5 more”. */
export function joinNames(names: readonly string[]): string {
  const [first = ''] = names
  if (names.length <= 1) return first
  if (names.length > MAX_NAMED + 1) {
    return `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
  }
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

/** The negation is a parameter (`not`) because its position differs between languages. */
const PERMISSION_PHRASES: { readonly [One in Permission]: (what: string, not: string) => string } = {
  'records:read': (what, not) => `${not} view ${what}`,
  'records:create': (what, not) => `${not} create ${what}`,
  'records:update': (what, not) => `${not} edit ${what}`,
  'records:delete': (what, not) => `${not} delete ${what}`,
  'records:transition': (what, not) => `${not} change the status of ${what}`,
  'records:export': (what, not) => `${not} export ${what}`,
  'records:import': (what, not) => `${not} import into ${what}`,
  'collections:manage': (what, not) => `${not} edit the definition of ${what}`,
  'views:share': (what, not) => `${not} share views of ${what}`,
  'users:manage': (_, not) => `${not} manage users`,
  'roles:manage': (_, not) => `${not} manage roles`,
  'workspace:manage': (_, not) => `${not} manage workspace settings`,
  'audit:read': (_, not) => `${not} view the audit log`,
  'metrics:read': (_, not) => `${not} view metrics`,
}

/** For example “view Tasks”. */
export const describePermission = (permission: Permission, what: string): string =>
  PERMISSION_PHRASES[permission](what, '').trim()

/** Labels used in a sentence that describes a permission. */
export type AccessStatement = {
  readonly who: string
  readonly may: boolean
  readonly permission: Permission
  readonly collection: string | null
  readonly field: string | null
  readonly isOneRecord: boolean
}

/** For example “Ana cannot view Salary in People”. */
export function accessSentence({ who, may, permission, collection, field, isOneRecord }: AccessStatement): string {
  const place = collection ?? 'everything'
  const what = field === null ? place : `${field} in ${place}`
  const where = isOneRecord ? ' in one record' : ''
  return `${who} can${PERMISSION_PHRASES[permission](what, may ? '' : 'not')}${where}`
}
