import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSessions, listTokens } from '#api/account.ts'
import { listLinkedProviders, listProviders } from '#api/providers.ts'
import { readFactors } from '#api/second-factors.ts'
import { call, callOpenly } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import type { ReactNode } from 'react'

export const factorsQuery = queryOptions({
  queryKey: queryKeys.factors,
  queryFn: ({ signal }) => call(readFactors, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async ({ signal }) => (await call(listSessions, { signal })).items,
})

export const tokensQuery = queryOptions({
  queryKey: queryKeys.tokens,
  queryFn: async ({ signal }) => (await call(listTokens, { signal })).items,
})

/** The workspace's identity providers; `linked` is null for those that aren't linked. */
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
  /** Keys of the queries to invalidate. */
  readonly touches: readonly (readonly string[])[]
  readonly onDone?: (output: Output, input: Input) => void
  /** Returns true if the caller displays the error; otherwise, it is shown as a toast. */
  readonly onFailure?: (error: unknown) => boolean
}

export function useAccountChange<Output, Input = void>({ run, touches, onDone, onFailure }: Change<Input, Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (output, input) => {
      for (const queryKey of touches) void queryClient.invalidateQueries({ queryKey })
      onDone?.(output, input)
    },
    onError(error) {
      if (onFailure?.(error) !== true) notifyFailure()(error)
    },
  })
}

export type FactorPanelProps = {
  readonly onRecoveryCodes: (codes: readonly string[]) => void
  readonly onChanged: () => void
  /** Called if the last second factor can't be removed because the password is too short without one. */
  readonly onPasswordShort: () => void
  readonly notice: ReactNode
}
