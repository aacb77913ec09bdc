import { useQuery } from '@tanstack/react-query'
import { listRoles } from '#api/roles.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useCan } from '#web/data/authorization/use-can.ts'

type RoleNames = readonly { readonly id: string; readonly name: string }[]

/** Undefined while loading; empty for users who can't manage roles. */
export function useRoleNames(): RoleNames | undefined {
  const isManaged = useCan('roles:manage')
  const { data, failureCount } = useQuery({
    queryKey: queryKeys.roles,
    queryFn: async ({ signal }) => ({ items: (await call(listRoles, { signal })).items.map(builtInText) }),
    enabled: isManaged,
  })
  return data?.items ?? (isManaged && failureCount === 0 ? undefined : NONE)
}

const NONE: RoleNames = []
