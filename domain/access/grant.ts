import type { FieldValue } from '../fields/field.ts'
import type { Filter, FilterLiteral } from '../query/filter/filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import { PERMISSIONS, type Permission } from './permission.ts'

/** Which fields a grant opens: these alone, or all but these, those to come as well. */
export type FieldSet = { readonly only: readonly FieldId[] } | { readonly except: readonly FieldId[] }

/**
 * What a new record gets in a field its maker gave nothing for; a marker such as `@me` or `@today` is read when it is
 * made.
 */
export type GrantDefault = FieldValue | Marker

/** A placeholder for a value, such as `@me`. */
export type Marker = Extract<FilterLiteral, { readonly marker: string }>

/** Whether something is one. */
export const isMarker = (value: unknown): value is Marker =>
  typeof value === 'object' && value !== null && 'marker' in value && typeof value.marker === 'string'

/**
 * One permission, on one collection or on all, for the records a condition describes and the fields it opens.
 * Grants only add: what any of them allows is allowed.
 */
export type Grant = {
  readonly permission: Permission
  /** null: every collection, those to come as well. */
  readonly collection: CollectionId | null
  /** The records it speaks of; absent means all. A change must leave the record inside, too. */
  readonly where?: Filter
  /** The fields it opens: to read, or to write, as its permission says; absent means all. */
  readonly fields?: FieldSet
  /** For `records:create`: what fields start with. */
  readonly presets?: { readonly [field: FieldId]: GrantDefault }
}

/** A grant that says what the new records it speaks of start with. */
export type GrantWithDefaults = Grant & { readonly presets: NonNullable<Grant['presets']> }

/** Whether a grant opens a field. */
export function coversField({ fields }: Grant, field: FieldId): boolean {
  if (fields === undefined) return true
  return 'only' in fields ? fields.only.includes(field) : !fields.except.includes(field)
}

/** What an API token is for: a permission, in one collection or wherever its user holds it. */
export type Scope = { readonly permission: Permission; readonly collection: CollectionId | null }

/** Permissions that speak of the workspace as a whole; a scope with one cannot be bound to a collection. */
const WORKSPACE_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'users:manage',
  'roles:manage',
  'workspace:manage',
  'audit:read',
  'metrics:read',
])

/** People and roles are only ever managed by hand: a stolen token must not be able to make itself an account. */
const INTERACTIVE_ONLY: ReadonlySet<Permission> = new Set(['users:manage', 'roles:manage'])

/** What an API token may be made for. */
export const TOKEN_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter((one) => !INTERACTIVE_ONLY.has(one))

const COLLECTION_ID = /^[0-9a-z]{26}$/

/** Whether a scope with this permission may name a collection. */
export const isPerCollection = (permission: Permission): boolean => !WORKSPACE_PERMISSIONS.has(permission)

/** Reads a scope such as `records:read` or `records:read@<collection id>`; undefined for what is none. */
export function parseScope(text: string): Scope | undefined {
  const [name = '', collection, ...rest] = text.split('@')
  const permission = TOKEN_PERMISSIONS.find((one) => one === name)
  if (permission === undefined || rest.length > 0) return undefined
  if (collection === undefined) return { permission, collection: null }
  return isPerCollection(permission) && COLLECTION_ID.test(collection) ? { permission, collection } : undefined
}

/** What is left of grants under scopes. It only ever takes away: each grant that comes out is one that went in, or a part of it. */
export function narrowGrants(grants: readonly Grant[], scopes: readonly Scope[]): readonly Grant[] {
  return grants.flatMap((grant) => {
    const matching = scopes.filter(({ permission }) => permission === grant.permission)
    const isWhole = matching.some(({ collection }) => collection === null || collection === grant.collection)
    if (isWhole) return [grant]
    // The grant of another collection is out of reach; one of all collections shrinks to those named.
    if (grant.collection !== null) return []
    return [...new Set(matching.map(({ collection }) => collection))].map((collection) => ({ ...grant, collection }))
  })
}
