import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { listOutbox, listUsers, type UserBody } from '#api/users.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { type CallResult, call, callUnasked } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { queryOf, NO_USER_FILTER, type UserFilter } from './user-filter.ts'

/** A page of those who have an account or an invitation, the roles there are, and what is noted about people. */
export type ManagedUsers = CallResult<typeof listUsers>

/** Whoever is looked for, page after page, in the order of their names. */
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
    // What was found before stays while somebody else is looked for.
    placeholderData: keepPreviousData,
  })

/** As many as one chooses from without typing more of a name. */
const MAX_OPTIONS = 100

/** People to choose from whose names or addresses say something, those who are locked out as well. */
export const foundUsersQuery = (words: string) =>
  queryOptions({
    queryKey: [...queryKeys.users, 'found', words] as const,
    queryFn: async ({ signal }) => {
      const query = { ...queryOf({ ...NO_USER_FILTER, words }), perPage: String(MAX_OPTIONS) }
      return (await call(listUsers, { query, signal })).items
    },
    placeholderData: keepPreviousData,
  })

/** A role as whoever manages users sees it. */
export type AssignableRole = ManagedUsers['roles'][number]

/** How soon a new letter appears on the page that shows them. */
const OUTBOX_POLL_MS = 4000

/** The letters as they were written, newest first. */
export const outboxQuery = queryOptions({
  queryKey: queryKeys.outbox,
  // What repeats by itself asks nobody who they are; the first look does.
  queryFn: ({ client, signal }) =>
    client.getQueryData(queryKeys.outbox) === undefined
      ? call(listOutbox, { signal })
      : callUnasked(listOutbox, { signal }),
  // Only while it is looked at: a page in the background asks nothing.
  refetchInterval: ({ state }) => (isReauthenticationMissing(state.error) ? false : OUTBOX_POLL_MS),
})

/** Whether something fails because it has to be proven anew who one is. */
export const isReauthenticationMissing = (error: unknown): boolean => toCallError(error)?.code === 'step-up-needed'

/** Looks at the outbox once more, asking whoever is there to prove who they are. */
export function useRefetchOutbox() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(listOutbox),
    onSuccess: (outbox) => queryClient.setQueryData(outboxQuery.queryKey, outbox),
  })
}

/** Whom a change is about. */
type About = { readonly user: UserBody }

type UserChange<Output, Wanted extends About> = {
  readonly run: (wanted: Wanted) => Promise<Output>
  readonly onDone: (output: Output, wanted: Wanted) => void
}

/** One change to another person's account: done, said when it failed, and the list read anew. */
export function useUserChange<Output, Wanted extends About = About>({ run, onDone }: UserChange<Output, Wanted>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess(output, wanted) {
      for (const queryKey of [queryKeys.users, queryKeys.outbox]) void queryClient.invalidateQueries({ queryKey })
      onDone(output, wanted)
    },
    onError: notifyFailed,
  })
}

/** Says what went wrong where no form does; whoever gave it up themselves knows. */
export function notifyFailed(error: unknown): void {
  if (toCallError(error)?.code === 'aborted') return
  const { title, detail } = describeError(error)
  notify.error(title, { detail })
}
