import type { GrantPlace } from './matrix/matrix.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { t } from '#web/i18n/t.ts'
import { rolesQuery } from './roles-queries.ts'

export const rolePath = (role: string): string => `/settings/roles/${encodeURIComponent(role)}`

export const policyPath = (policy: string): string => `/settings/roles/policies/${encodeURIComponent(policy)}`

export const cellSearchParams = ({ permission, collection }: GrantPlace): { readonly [name: string]: string } => ({
  may: permission,
  ...(collection !== null && { in: collection }),
})

export const cellPath = (page: string, place: GrantPlace): string =>
  `${page}?${new URLSearchParams(cellSearchParams(place))}`

export function useRoleNameOf(): (role: string) => string {
  const { data } = useQuery(rolesQuery)
  return useCallback((role) => data?.items.find(({ id }) => id === role)?.name ?? t('another role'), [data])
}
