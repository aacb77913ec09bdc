import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { listOutbox, listUsers, readAddedAccess, type UserBody } from '#api/users.ts'
import type { UserStatus } from '#domain/access/user.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call, type CallResult, callUnasked } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { t } from '#web/i18n/t.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

export type UserFilter = {
  /** Matches parts of the name or email. */
  readonly words: string
  readonly role: string | null
  /** Null: any status. */
  readonly standing: UserStatus | null
}

export const STATUS_LABELS: { readonly [Each in UserStatus]: string } = {
  here: t('Active'),
  invited: t('Invited, not joined yet'),
  'locked-out': t('Deactivated'),
  'no-factor': t('Without a second factor'),
}

export const NO_USER_FILTER: UserFilter = { words: '', role: null, standing: null }

const queryOf = ({ words, role, standing }: UserFilter) => ({
  ...(words.trim() !== '' && { search: words.trim() }),
  ...(role !== null && { role }),
  ...(standing !== null && { standing }),
})

export type ManagedUsers = CallResult<typeof listUsers>

/** Sorted by name. */
export const usersQuery = (filter: UserFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.users, filter] as const,
    queryFn: async ({ pageParam, signal }): Promise<ManagedUsers> => {
      const query = { ...queryOf(filter), ...(pageParam !== null && { cursor: pageParam }) }
      const { roles, ...page } = await call(listUsers, { query, signal })
      return { ...page, roles: roles.map(builtInText) }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Keeps previous results while loading.
    placeholderData: keepPreviousData,
  })

/** Maximum number of options; typing finds others. */
const MAX_OPTIONS = 100

/** Includes disabled users. */
export const foundUsersQuery = (words: string) =>
  queryOptions({
    queryKey: [...queryKeys.users, 'found', words] as const,
    queryFn: async ({ signal }) => {
      const query = { ...queryOf({ ...NO_USER_FILTER, words }), perPage: String(MAX_OPTIONS) }
      return (await call(listUsers, { query, signal })).items
    },
    placeholderData: keepPreviousData,
  })

export type AssignableRole = ManagedUsers['roles'][number]

/** The access that a role adds to a set of other roles. */
export const addedAccessQuery = (role: string, to: readonly string[]) =>
  queryOptions({
    queryKey: [...queryKeys.users, 'added-access', role, ...to] as const,
    queryFn: ({ signal }) => call(readAddedAccess, { query: { role, to: to.join(',') }, signal }),
  })

const OUTBOX_POLL_MS = 4000

export const outboxQuery = queryOptions({
  queryKey: queryKeys.outbox,
  // Polling never prompts for re-authentication; the first load does.
  queryFn: ({ client, signal }) =>
    client.getQueryData(queryKeys.outbox) === undefined
      ? call(listOutbox, { signal })
      : callUnasked(listOutbox, { signal }),
  // Polls only while the page is visible.
  refetchInterval: ({ state }) => (isReauthenticationMissing(state.error) ? false : OUTBOX_POLL_MS),
})

export const isReauthenticationMissing = (error: unknown): boolean => toCallError(error)?.code === 'step-up-needed'

/** Loads the outbox, prompting for re-authentication if needed. */
export function useRefetchOutbox() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(listOutbox),
    onSuccess: (outbox) => queryClient.setQueryData(outboxQuery.queryKey, outbox),
  })
}

type About = { readonly user: UserBody }

type UserChange<Output, Wanted extends About> = {
  readonly run: (wanted: Wanted) => Promise<Output>
  readonly onDone: (output: Output, wanted: Wanted) => void
}

/** Also refetches roles, because they contain member counts. */
export function refetchUsers(queryClient: QueryClient): void {
  for (const queryKey of [queryKeys.users, queryKeys.outbox, queryKeys.roles]) {
    void queryClient.invalidateQueries({ queryKey })
  }
}

export function useUserChange<Output, Wanted extends About = About>({ run, onDone }: UserChange<Output, Wanted>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess(output, wanted) {
      refetchUsers(queryClient)
      onDone(output, wanted)
    },
    onError: notifyFailure(),
  })
}
