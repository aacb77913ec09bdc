import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  changePolicy,
  changeRole,
  createPolicy,
  createRole,
  deletePolicy,
  deleteRole,
  listPolicies,
  listRoles,
  type PolicyBody,
  type RoleBody,
} from '#api/roles.ts'
import { listUsers, type UserBody } from '#api/users.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { call, type CallInput } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useCan } from '#web/data/authorization/use-can.ts'

export const rolesQuery = queryOptions({
  queryKey: queryKeys.roles,
  queryFn: async ({ signal }) => ({ items: (await call(listRoles, { signal })).items.map(builtInText) }),
})

const policiesQuery = queryOptions({
  queryKey: queryKeys.policies,
  queryFn: async ({ signal }) => {
    const items = (await call(listPolicies, { signal })).items.map(builtInText)
    if (!items.some(({ grants }) => grants.some(({ fault }) => fault !== undefined))) return { items }
    const say = await serverTranslator()
    const inWords = (grant: PolicyBody['grants'][number]) =>
      grant.fault === undefined ? grant : { ...grant, fault: say(grant.fault) }
    return { items: items.map((policy) => ({ ...policy, grants: policy.grants.map(inWords) })) }
  },
})

/** All members are listed on the users page. */
const MAX_MEMBERS = 100

const membersQuery = (role: string) =>
  queryOptions({
    queryKey: [...queryKeys.holders, role] as const,
    queryFn: async ({ signal }) =>
      (await call(listUsers, { query: { role, perPage: String(MAX_MEMBERS) }, signal })).items,
  })

/** The API's page limit. */
const MAX_USERS = 500

/** Members by role; empty if there are too many users. */
const namesByRoleQuery = queryOptions({
  queryKey: queryKeys.holders,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, readonly string[]>> => {
    const { items, nextCursor } = await call(listUsers, { query: { perPage: String(MAX_USERS) }, signal })
    const held = items.flatMap(({ name, roles }) => roles.map(({ id }) => ({ id, name })))
    return new Map(
      [...Map.groupBy(nextCursor === null ? held : [], ({ id }) => id)].map(([id, some]) => [
        id,
        some.map(({ name }) => name),
      ]),
    )
  },
})

export function useMemberNames(role: string): readonly string[] {
  const { data } = useQuery({ ...namesByRoleQuery, enabled: useCan('users:manage') })
  return data?.get(role) ?? []
}

export function useMembers(role: string): readonly UserBody[] {
  const { data } = useQuery({ ...membersQuery(role), enabled: useCan('users:manage') })
  return data ?? []
}

export function useAccessRules() {
  const roles = useQuery(rolesQuery)
  const policies = useQuery(policiesQuery)
  const rules = roles.data && policies.data && { roles: roles.data.items, policies: policies.data.items }
  return {
    rules,
    error: roles.error ?? policies.error,
    retry: () => {
      void roles.refetch()
      void policies.refetch()
    },
  }
}

function refetchRoles(queryClient: QueryClient): Promise<void> {
  for (const queryKey of [queryKeys.users, queryKeys.collections, ['records'], queryKeys.explanations]) {
    void queryClient.invalidateQueries({ queryKey })
  }
  return queryClient.invalidateQueries({ queryKey: queryKeys.roles })
}

function useChange<Wanted, Output>(run: (wanted: Wanted) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: () => refetchRoles(queryClient),
    // After a version conflict, loads the other user's changes.
    onError: (error) => (toCallError(error)?.code === 'version-conflict' ? refetchRoles(queryClient) : undefined),
  })
}

type PolicyChange = { readonly policy: string; readonly body: NonNullable<CallInput<typeof changePolicy>['body']> }
type RoleChange = { readonly role: string; readonly body: NonNullable<CallInput<typeof changeRole>['body']> }

export const useChangePolicy = () =>
  useChange(({ policy, body }: PolicyChange): Promise<PolicyBody> => call(changePolicy, { params: { policy }, body }))

export const useCreatePolicy = () =>
  useChange((body: CallInput<typeof createPolicy>['body']): Promise<PolicyBody> => call(createPolicy, { body }))

export const useDeletePolicy = () => useChange(({ id }: PolicyBody) => call(deletePolicy, { params: { policy: id } }))

export const useChangeRole = () =>
  useChange(({ role, body }: RoleChange): Promise<RoleBody> => call(changeRole, { params: { role }, body }))

export const useCreateRole = () =>
  useChange((body: CallInput<typeof createRole>['body']): Promise<RoleBody> => call(createRole, { body }))

export const useDeleteRole = () => useChange(({ id }: RoleBody) => call(deleteRole, { params: { role: id } }))

type RoleCopy = { readonly role: RoleBody; readonly name: string; readonly about: string }

/** Copies a role and the policies that only this role uses; shared policies stay shared. */
export function useDuplicateRole(policies: readonly PolicyBody[]) {
  const createRole = useCreateRole()
  const createPolicy = useCreatePolicy()
  const deletePolicy = useDeletePolicy()
  return useMutation({
    mutationFn: async ({ role, name, about }: RoleCopy): Promise<RoleBody> => {
      const all = policies.filter(({ id }) => role.policies.includes(id))
      const shared = all.filter(({ roles }) => roles.some((id) => id !== role.id))
      const own = all.filter((policy) => !shared.includes(policy))
      const made: PolicyBody[] = []
      const create = async () => {
        for (const policy of own) {
          const { about: purpose, grants } = policy
          const copy = { name: freeName(`${policy.name} (${name})`, policies), about: purpose }
          made.push(await createPolicy.mutateAsync({ ...copy, grants: grants.map(newGrant) }))
        }
        return createRole.mutateAsync({ name, about, policies: [...shared, ...made].map(({ id }) => id) })
      }
      return create().then(undefined, async (fault: Error) => {
        // Cleans up the policies created for the failed copy.
        for (const policy of made) await deletePolicy.mutateAsync(policy)
        return Promise.reject(fault)
      })
    },
  })
}

const newGrant = ({ permission, collection, where, fields, presets }: PolicyBody['grants'][number]) => ({
  permission,
  collection,
  where,
  fields,
  presets,
})

/** Appends a number if another policy already has the name. */
export function freeName(wanted: string, policies: readonly PolicyBody[]): string {
  const names = new Set(policies.map(({ name }) => name.toLowerCase()))
  let name = wanted
  for (let count = 2; names.has(name.toLowerCase()); count += 1) name = `${wanted} ${count}`
  return name
}
