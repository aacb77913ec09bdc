import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSessions, listTokens } from '#api/account.ts'
import { listLinkedProviders, listProviders } from '#api/providers.ts'
import { readFactors } from '#api/second-factors.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call, callOpenly } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { notify } from '#web/ui/toast/notify.ts'

/** What one has set up besides the password. */
export const factorsQuery = queryOptions({
  queryKey: queryKeys.factors,
  queryFn: ({ signal }) => call(readFactors, { signal }),
})

/** Where one is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async ({ signal }) => (await call(listSessions, { signal })).items,
})

/** One's own API tokens. */
export const tokensQuery = queryOptions({
  queryKey: queryKeys.tokens,
  queryFn: async ({ signal }) => (await call(listTokens, { signal })).items,
})

/** Every provider one could sign in with, each with when it was linked; null: it is not. */
export const providerLinksQuery = queryOptions({
  queryKey: queryKeys.linkedProviders,
  queryFn: async ({ signal }) => {
    const [all, linked] = await Promise.all([
      callOpenly(listProviders, { signal }),
      call(listLinkedProviders, { signal }),
    ])
    const linkedAt = new Map(linked.items.map(({ name, linkedAt: at }) => [name, at]))
    const gone = linked.items.filter(({ name }) => !all.items.some((one) => one.name === name))
    return [...all.items, ...gone].map(({ name, label }) => ({ name, label, linkedAt: linkedAt.get(name) ?? null }))
  },
})

type Change<Input, Output> = {
  readonly run: (input: Input) => Promise<Output>
  /** What was read before and is out of date now. */
  readonly touches: readonly (readonly string[])[]
  readonly onDone?: (output: Output, input: Input) => void
  /** Says in its own place why it failed; false leaves that to a toast. */
  readonly onFailure?: (error: unknown) => boolean
}

/** One change to one's account: done, said when it failed, and what it touches read anew. */
export function useAccountChange<Output, Input = void>({ run, touches, onDone, onFailure }: Change<Input, Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (output, input) => {
      for (const queryKey of touches) void queryClient.invalidateQueries({ queryKey })
      onDone?.(output, input)
    },
    onError(error) {
      if (onFailure?.(error) !== true) notifyFailure(error)
    },
  })
}

/** Says why something failed; whoever gave it up themselves needs no telling. */
export function notifyFailure(error: unknown): void {
  if (toCallError(error)?.code === 'aborted') return
  const { title, detail } = describeError(error)
  notify.error(title, { detail })
}
