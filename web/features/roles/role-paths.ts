import type { GrantPlace } from './matrix/matrix.ts'

/** The page of a role. */
export const rolePath = (role: string): string => `/settings/roles/${encodeURIComponent(role)}`

/** The page of a policy. */
export const policyPath = (policy: string): string => `/settings/roles/policies/${encodeURIComponent(policy)}`

/** How an address names one cell of its matrix. */
export const cellSearchParams = ({ permission, collection }: GrantPlace): { readonly [name: string]: string } => ({
  may: permission,
  ...(collection !== null && { in: collection }),
})

/** A page with one cell of its matrix open. */
export const cellPath = (page: string, place: GrantPlace): string =>
  `${page}?${new URLSearchParams(cellSearchParams(place))}`
