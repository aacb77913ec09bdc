import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { loadSample, readSample } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { t } from '#web/i18n/t.ts'

/** How often to ask how far the sample is, in ms; often enough for a line that moves, rare enough not to matter. */
const POLL_INTERVAL_MS = 400

/** How far the sample workspace is; asked again and again while it is being built. */
const sampleQuery = queryOptions({
  queryKey: queryKeys.sample,
  queryFn: async ({ signal }) => {
    const sample = await call(readSample, { signal })
    return sample.failure === null ? sample : { ...sample, failure: (await serverTranslator())(sample.failure) }
  },
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
})

/** The sample workspace: how far it is, and how to have it built. */
export function useSample({ isOffered }: { readonly isOffered: boolean }) {
  const queryClient = useQueryClient()
  const { data: sample } = useQuery({ ...sampleQuery, enabled: isOffered })
  const load = useMutation({
    mutationFn: () => call(loadSample, { query: { language: LANGUAGE } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.sample }),
    onError: (error) => {
      const { title, detail } = describeError(error)
      notify.error(title, { detail })
    },
  })

  const before = useRef(sample?.state)
  useEffect(() => {
    const wasRunning = before.current === 'running'
    before.current = sample?.state
    if (!wasRunning || sample?.state === 'running') return
    void queryClient.invalidateQueries({ queryKey: queryKeys.collections })
    if (sample?.state === 'done') notify.success(t('Sample workspace ready.'))
  }, [sample?.state, queryClient])

  return { sample, load: () => load.mutate(), isStarting: load.isPending }
}
