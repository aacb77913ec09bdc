import type { FieldValue } from '../fields/field.ts'
import type { Filter, FilterLiteral } from '../query/filter/filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { PERMISSIONS, type Permission } from './permission.ts'

/** Fields covered by a grant; with `except`, fields added later are also covered. */
export type FieldSet = { readonly only: readonly FieldId[] } | { readonly except: readonly FieldId[] }

/** Default value; markers such as `@me` or `@today` are resolved when the record is created. */
export type GrantDefault = FieldValue | Marker

export type Marker = Extract<FilterLiteral, { readonly marker: string }>

export const isMarker = (value: unknown): value is Marker =>
  typeof value === 'object' && value !== null && 'marker' in value && typeof value.marker === 'string'

/** Permission for one or all collections, optionally limited to some records and fields. Grants only add access. */
export type Grant = {
  readonly permission: Permission
  /** null: all collections, including those created later. */
  readonly collection: CollectionId | null
  /** Condition on records; absent: all records. A record must still match after an update. */
  readonly where?: Filter
  /** Fields that can be read or written; absent: all. */
  readonly fields?: FieldSet
  /** Default values for `records:create`. */
  readonly presets?: { readonly [field: FieldId]: GrantDefault }
}

export type GrantWithDefaults = Grant & { readonly presets: NonNullable<Grant['presets']> }

export function coversField({ fields }: Grant, field: FieldId): boolean {
  if (fields === undefined) return true
  return 'only' in fields ? fields.only.includes(field) : !fields.except.includes(field)
}

/** API token permission, for one collection or for all. */
export type Scope = { readonly permission: Permission; readonly collection: CollectionId | null }

/** Workspace-wide permissions; their scopes can't name a collection. */
const WORKSPACE_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'users:manage',
  'roles:manage',
  'workspace:manage',
  'audit:read',
  'metrics:read',
])

/** Only interactive sessions can manage users and roles, so a stolen token can't create an account. */
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

/** Restricts grants to scopes; never adds access. */
export function narrowGrants(grants: readonly Grant[], scopes: readonly Scope[]): readonly Grant[] {
  return grants.flatMap((grant) => {
    const matching = scopes.filter(({ permission }) => permission === grant.permission)
    const isWhole = matching.some(({ collection }) => collection === null || collection === grant.collection)
    if (isWhole) return [grant]
    // A grant for all collections is limited to the collections named in the scopes.
    if (grant.collection !== null) return []
    return [...new Set(matching.map(({ collection }) => collection))].map((collection) => ({ ...grant, collection }))
  })
}
