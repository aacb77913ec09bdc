import type { Permission } from '#domain/access/permission.ts'

/** The page of a role. */
export const rolePath = (role: string): string => `/settings/roles/${encodeURIComponent(role)}`

/** The page of a policy. */
export const policyPath = (policy: string): string => `/settings/roles/policies/${encodeURIComponent(policy)}`

/** The same with one cell of its matrix open. */
export const cellPath = (page: string, permission: Permission, collection: string | null): string =>
  `${page}?${new URLSearchParams({ may: permission, ...(collection !== null && { in: collection }) })}`
