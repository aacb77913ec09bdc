import type { CollectionId } from '../shared/ids.ts'
import type { Grant } from './grant.ts'
import { PERMISSIONS, type Permission } from './permission.ts'

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
