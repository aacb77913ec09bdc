import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { type Grant, isPerCollection } from '#domain/access/grant.ts'
import { type GrantLabels, type Coverage, describeCombined } from '#domain/access/describe-grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { describeCondition } from '#web/shared/conditions/describe-condition.ts'
import type { FindCollection } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'

/** A grant as the server tells it. */
export type GrantBody = PolicyBody['grants'][number]

/** A grant and the policy that says it. */
export type Source = { readonly policy: PolicyBody; readonly grant: GrantBody }

/** Whose grants are shown and changed: those of a role, or of one policy by itself. */
export type Subject = {
  readonly who: string
  readonly role: RoleBody | undefined
  readonly policies: readonly PolicyBody[]
}

/** Where a grant stands: what is allowed, and in which collection (null: in every one). */
export type GrantPlace = { readonly permission: Permission; readonly collection: string | null }

/** One thing one may do in a collection: the word above it in a matrix, and in a sentence with where it is done. */
export type MatrixAction = {
  readonly permission: Permission
  readonly head: string
  readonly doing: (where: string) => string
}

/** What one may do in a collection, in the order of a matrix. */
export const MATRIX_ACTIONS: readonly MatrixAction[] = [
  { permission: 'records:read', head: t('View', {}, 'permission'), doing: (where) => t('view {where}', { where }) },
  { permission: 'records:create', head: t('Create'), doing: (where) => t('create records in {where}', { where }) },
  { permission: 'records:update', head: t('Edit'), doing: (where) => t('edit {where}', { where }) },
  { permission: 'records:delete', head: t('Delete'), doing: (where) => t('delete from {where}', { where }) },
  {
    permission: 'records:transition',
    head: t('Change status'),
    doing: (where) => t('change record status in {where}', { where }),
  },
  { permission: 'records:export', head: t('Export'), doing: (where) => t('export {where}', { where }) },
  { permission: 'records:import', head: t('Import'), doing: (where) => t('import into {where}', { where }) },
  { permission: 'views:share', head: t('Share views'), doing: (where) => t('share views of {where}', { where }) },
  {
    permission: 'collections:manage',
    head: t('Manage'),
    doing: (where) => t('manage fields, rules and settings of {where}', { where }),
  },
]

/** What one may do in the workspace as a whole. */
export const WORKSPACE_ACTIONS: readonly MatrixAction[] = [
  { permission: 'users:manage', head: t('Manage users'), doing: () => t('invite users and manage accounts') },
  { permission: 'roles:manage', head: t('Manage roles'), doing: () => t('manage roles and permissions') },
  {
    permission: 'workspace:manage',
    head: t('Manage workspace'),
    doing: () => t('manage workspace settings'),
  },
  { permission: 'audit:read', head: t('View audit log'), doing: () => t('view the audit log') },
  { permission: 'metrics:read', head: t('View metrics'), doing: () => t('view server metrics') },
]

/** How something one may do is called. */
export const actionOf = (permission: Permission): MatrixAction =>
  [...MATRIX_ACTIONS, ...WORKSPACE_ACTIONS].find((doing) => doing.permission === permission) ?? {
    permission,
    head: permission,
    doing: () => permission,
  }

/** Everything that policies say, one by one. */
export const sourcesOf = (policies: readonly PolicyBody[]): readonly Source[] =>
  policies.flatMap((policy) => policy.grants.map((grant) => ({ policy, grant })))

/** What is said about one thing in one collection, or (null) in every collection. */
export const sourcesAt = (
  sources: readonly Source[],
  permission: Permission,
  collection: string | null,
): readonly Source[] =>
  sources.filter(
    ({ grant }) => grant.permission === permission && (grant.collection === null || grant.collection === collection),
  )

/** A grant as the domain takes it. */
export const grantOf = ({ permission, collection, where, fields, presets }: GrantBody): Grant => ({
  permission,
  collection,
  ...(where !== null && { where }),
  ...(fields !== null && { fields }),
  // What is filled in was proven by the server; its schema only tells that it is JSON.
  ...(presets !== null && { presets: presets as NonNullable<Grant['presets']> }),
})

/** What `@me` is called in words about what others may. */
export const ME_LABEL = t('the current user')

/** Where the words of a matrix come from. */
type MatrixWords = {
  readonly findCollection: FindCollection
  readonly personOf?: ((id: string) => string | undefined) | undefined
}

/** The names of one collection's fields, and how its conditions are said. */
export function describeIn(collection: TypedCollection, { findCollection, personOf }: MatrixWords): GrantLabels {
  const world = { collection, findCollection, me: ME_LABEL, ...(personOf && { personOf }) }
  return {
    labelOf: (field) => collection.fields.find(({ id }) => id === field)?.label,
    describeCondition: (where) => describeCondition(where, world),
  }
}

/** What every collection has in common, as far as conditions can name it. */
export const EVERY_COLLECTION: TypedCollection = {
  id: '',
  name: '',
  label: t('All collections'),
  fields: [],
  titleField: null,
  version: 0,
  can: [],
}

/** What one cell of a matrix says. */
export type CellText = {
  readonly coverage: Coverage
  readonly text: string
  /** Nothing is said here itself: it comes from what is said of every collection. */
  readonly isInherited: boolean
}

/** What one cell says: what all that is granted there adds up to. */
export function describeCell(sources: readonly Source[], collection: string | null, words: GrantLabels): CellText {
  const sum = describeCombined(
    sources.map(({ grant }) => grantOf(grant)),
    words,
  )
  const isInherited =
    collection !== null && sources.length > 0 && sources.every(({ grant }) => grant.collection === null)
  return { ...sum, isInherited }
}

/** What a place is called: “See · People”. */
export const describePlace = ({ permission }: GrantPlace, label: string): string =>
  isPerCollection(permission) ? `${actionOf(permission).head} · ${label}` : actionOf(permission).head
