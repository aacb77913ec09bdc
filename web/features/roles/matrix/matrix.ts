import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { type Grant, isPerCollection } from '#domain/access/grant.ts'
import { type GrantLabels, type Coverage, describeCombined } from '#domain/access/describe-grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { describeCondition } from '#web/shared/conditions/describe-condition.ts'
import type { FindCollection } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'

export type GrantBody = PolicyBody['grants'][number]

export type Source = { readonly policy: PolicyBody; readonly grant: GrantBody }

/** The role or policy whose grants are shown. */
export type Subject = {
  readonly who: string
  readonly role: RoleBody | undefined
  readonly policies: readonly PolicyBody[]
}

/** The role's own policy; undefined if it doesn't exist yet. */
export const policyFor = ({ role, policies }: Subject): PolicyBody | undefined =>
  role === undefined ? policies[0] : policies.find(({ roles }) => roles.length === 1)

/** Null stands for all collections. */
export type GrantPlace = { readonly permission: Permission; readonly collection: string | null }

/** A permission's label, as a column header and within a sentence. */
export type MatrixAction = {
  readonly permission: Permission
  readonly head: string
  readonly doing: (where: string) => string
}

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

export const actionOf = (permission: Permission): MatrixAction =>
  [...MATRIX_ACTIONS, ...WORKSPACE_ACTIONS].find((doing) => doing.permission === permission) ?? {
    permission,
    head: permission,
    doing: () => permission,
  }

export const sourcesOf = (policies: readonly PolicyBody[]): readonly Source[] =>
  policies.flatMap((policy) => policy.grants.map((grant) => ({ policy, grant })))

/** Grants for one collection, or for all collections if null. */
export const sourcesAt = (
  sources: readonly Source[],
  permission: Permission,
  collection: string | null,
): readonly Source[] =>
  sources.filter(
    ({ grant }) => grant.permission === permission && (grant.collection === null || grant.collection === collection),
  )

export const grantOf = ({ permission, collection, where, fields, presets }: GrantBody): Grant => ({
  permission,
  collection,
  ...(where !== null && { where }),
  ...(fields !== null && { fields }),
  // Validated by the server; the schema only requires JSON.
  ...(presets !== null && { presets: presets as NonNullable<Grant['presets']> }),
})

export const ME_LABEL = t('the current user')

type MatrixWords = {
  readonly findCollection: FindCollection
  readonly personOf?: ((id: string) => string | undefined) | undefined
}

export function describeIn(collection: TypedCollection, { findCollection, personOf }: MatrixWords): GrantLabels {
  const world = { collection, findCollection, me: ME_LABEL, ...(personOf && { personOf }) }
  return {
    labelOf: (field) => collection.fields.find(({ id }) => id === field)?.label,
    describeCondition: (where) => describeCondition(where, world),
  }
}

/** Fields available in conditions that apply to all collections. */
export const EVERY_COLLECTION: TypedCollection = {
  id: '',
  name: '',
  label: t('All collections'),
  fields: [],
  titleField: null,
  version: 0,
  timeZone: 'UTC',
  can: [],
}

export type CellText = {
  readonly coverage: Coverage
  readonly text: string
  /** Whether the access is inherited from the “All collections” row. */
  readonly isInherited: boolean
}

export function describeCell(sources: readonly Source[], collection: string | null, words: GrantLabels): CellText {
  const sum = describeCombined(
    sources.map(({ grant }) => grantOf(grant)),
    words,
  )
  const isInherited =
    collection !== null && sources.length > 0 && sources.every(({ grant }) => grant.collection === null)
  return { ...sum, isInherited }
}

/** For example “View · People”. */
export const describePlace = ({ permission }: GrantPlace, label: string): string =>
  isPerCollection(permission) ? `${actionOf(permission).head} · ${label}` : actionOf(permission).head
