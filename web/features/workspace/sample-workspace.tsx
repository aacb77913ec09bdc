import { Progress } from '@mantine/core'
import { t } from '#web/i18n/t.ts'
import './sample-progress.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { loadSample, readSample } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

type SampleProgressProps = { readonly stored: number; readonly inAll: number }

export function SampleProgress({ stored, inAll }: SampleProgressProps) {
  const percent = inAll === 0 ? 0 : Math.round((stored / inAll) * 100)
  return (
    <div className="sample-progress">
      <p>
        <strong>{t('Creating sample workspace')}</strong>
        <span className="tabular">{t('{stored} of {inAll} records', { stored, inAll })}</span>
      </p>
      <Progress value={percent} size="sm" aria-label={t('Sample workspace')} />
    </div>
  )
}

/** Poll interval in ms, short enough for a smooth progress bar. */
const POLL_INTERVAL_MS = 400

const sampleQuery = queryOptions({
  queryKey: queryKeys.sample,
  queryFn: async ({ signal }) => {
    const sample = await call(readSample, { signal })
    return sample.failure === null ? sample : { ...sample, failure: (await serverTranslator())(sample.failure) }
  },
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
})

export function useSample({ isOffered }: { readonly isOffered: boolean }) {
  const queryClient = useQueryClient()
  const { data: sample } = useQuery({ ...sampleQuery, enabled: isOffered })
  const load = useMutation({
    mutationFn: () => call(loadSample, { query: { language: LANGUAGE } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.sample }),
    onError: notifyFailure(),
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
