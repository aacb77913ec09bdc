import type { FieldValue } from '../fields/field.ts'
import type { Filter, FilterLiteral } from '../query/filter/filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { PERMISSIONS, type Permission } from './permission.ts'

/** The fields of a grant; `except` includes fields added later. */
export type FieldSet = { readonly only: readonly FieldId[] } | { readonly except: readonly FieldId[] }

/** A default value; markers such as `@me` or `@today` are resolved when the record is created. */
export type GrantDefault = FieldValue | Marker

export type Marker = Extract<FilterLiteral, { readonly marker: string }>

export const isMarker = (value: unknown): value is Marker =>
  typeof value === 'object' && value !== null && 'marker' in value && typeof value.marker === 'string'

/** A permission for one collection or all, limited to some records and fields. Grants only add access. */
export type Grant = {
  readonly permission: Permission
  /** null: every collection, including future ones. */
  readonly collection: CollectionId | null
  /** Absent: all records. A changed record must still match. */
  readonly where?: Filter
  /** The fields that can be read or written; absent: all. */
  readonly fields?: FieldSet
  /** For `records:create`: default values. */
  readonly presets?: { readonly [field: FieldId]: GrantDefault }
}

export type GrantWithDefaults = Grant & { readonly presets: NonNullable<Grant['presets']> }

export function coversField({ fields }: Grant, field: FieldId): boolean {
  if (fields === undefined) return true
  return 'only' in fields ? fields.only.includes(field) : !fields.except.includes(field)
}

/** A permission of an API token, in one collection or everywhere. */
export type Scope = { readonly permission: Permission; readonly collection: CollectionId | null }

/** Permissions for the whole workspace; their scopes can't name a collection. */
const WORKSPACE_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'users:manage',
  'roles:manage',
  'workspace:manage',
  'audit:read',
  'metrics:read',
])

/** Only interactive sessions manage users and roles, so a stolen token can't create an account. */
const INTERACTIVE_ONLY: ReadonlySet<Permission> = new Set(['users:manage', 'roles:manage'])

export const TOKEN_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter((one) => !INTERACTIVE_ONLY.has(one))

const COLLECTION_ID = /^[0-9a-z]{26}$/

export const isPerCollection = (permission: Permission): boolean => !WORKSPACE_PERMISSIONS.has(permission)

/** Parses `records:read` or `records:read@<collection id>`. */
export function parseScope(text: string): Scope | undefined {
  const [name = '', collection, ...rest] = text.split('@')
  const permission = TOKEN_PERMISSIONS.find((one) => one === name)
  if (permission === undefined || rest.length > 0) return undefined
  if (collection === undefined) return { permission, collection: null }
  return isPerCollection(permission) && COLLECTION_ID.test(collection) ? { permission, collection } : undefined
}

/** Narrows grants to scopes; never widens them. */
export function narrowGrants(grants: readonly Grant[], scopes: readonly Scope[]): readonly Grant[] {
  return grants.flatMap((grant) => {
    const matching = scopes.filter(({ permission }) => permission === grant.permission)
    const isWhole = matching.some(({ collection }) => collection === null || collection === grant.collection)
    if (isWhole) return [grant]
    // A grant for all collections shrinks to the named ones.
    if (grant.collection !== null) return []
    return [...new Set(matching.map(({ collection }) => collection))].map((collection) => ({ ...grant, collection }))
  })
}
