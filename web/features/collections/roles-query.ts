import { useQuery } from '@tanstack/react-query'
import { listRoles } from '#api/roles.ts'
import { ruleInWords } from '#web/client/built-in-rules.ts'
import { call } from '#web/client/call.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useCan } from '#web/client/use-can.ts'

/** Roles by name, for whoever manages them; for others there is nothing to choose from. */
export function useRoleNames(): readonly { readonly id: string; readonly name: string }[] {
  const isManaged = useCan('roles:manage')
  const { data } = useQuery({
    queryKey: queryKeys.roles,
    queryFn: async ({ signal }) => ({ items: (await call(listRoles, { signal })).items.map(ruleInWords) }),
    enabled: isManaged,
  })
  return data?.items ?? NONE
}

const NONE: readonly { readonly id: string; readonly name: string }[] = []
