import type { GrantPlace } from './matrix/matrix.ts'

export const rolePath = (role: string): string => `/settings/roles/${encodeURIComponent(role)}`

export const policyPath = (policy: string): string => `/settings/roles/policies/${encodeURIComponent(policy)}`

export const cellSearchParams = ({ permission, collection }: GrantPlace): { readonly [name: string]: string } => ({
  may: permission,
  ...(collection !== null && { in: collection }),
})

export const cellPath = (page: string, place: GrantPlace): string =>
  `${page}?${new URLSearchParams(cellSearchParams(place))}`
