import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { t } from '#web/i18n/t.ts'
import { rolesQuery } from './roles-queries.ts'

export function useRoleNameOf(): (role: string) => string {
  const { data } = useQuery(rolesQuery)
  return useCallback((role) => data?.items.find(({ id }) => id === role)?.name ?? t('another role'), [data])
}
