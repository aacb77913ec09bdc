import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listAudit } from '#api/audit.ts'
import { listOutbox, listUsers, type UserBody } from '#api/users.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { call, callUnasked } from '#web/client/call.ts'
import { failureText } from '#web/client/problem-text.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { notify } from '#web/kit/toast/notify.ts'

const fetchUsers = (signal: AbortSignal) => call(listUsers, { signal })

/** Everybody who has an account or an invitation, and the roles there are. */
export const usersQuery = queryOptions({
  queryKey: queryKeys.users,
  queryFn: ({ signal }) => fetchUsers(signal),
})

/** A role as whoever manages users sees it. */
export type RoleToGive = Awaited<ReturnType<typeof fetchUsers>>['roles'][number]

/** How soon a new letter appears on the page that shows them. */
const OUTBOX_EVERY_MS = 4000

/** The letters as they were written, newest first. */
export const outboxQuery = queryOptions({
  queryKey: queryKeys.outbox,
  // What repeats by itself asks nobody who they are; the first look does.
  queryFn: ({ client, signal }) =>
    client.getQueryData(queryKeys.outbox) === undefined
      ? call(listOutbox, { signal })
      : callUnasked(listOutbox, { signal }),
  // Only while it is looked at: a page in the background asks nothing.
  refetchInterval: ({ state }) => (isProofMissing(state.error) ? false : OUTBOX_EVERY_MS),
})

/** Whether something fails because it has to be proven anew who one is. */
export const isProofMissing = (error: unknown): boolean => asCallFailed(error)?.code === 'step-up-needed'

/** Looks at the outbox once more, asking whoever is there to prove who they are. */
export function useOutboxAgain() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(listOutbox),
    onSuccess: (outbox) => queryClient.setQueryData(outboxQuery.queryKey, outbox),
  })
}

/** What happened to accounts and sessions, newest first, page after page. */
export const auditQuery = infiniteQueryOptions({
  queryKey: queryKeys.audit,
  queryFn: ({ pageParam, signal }) =>
    call(listAudit, { ...(pageParam !== null && { query: { before: pageParam } }), signal }),
  // The first page is the newest; each page names where the next begins.
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

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
    onError(error) {
      if (asCallFailed(error)?.code === 'aborted') return
      const { title, detail } = failureText(error)
      notify.error(title, { detail })
    },
  })
}
