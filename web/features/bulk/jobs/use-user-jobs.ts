import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { JobBody } from '#api/bulk.ts'
import { setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'
import {
  canBeUndone,
  endText,
  forgetStarted,
  type KnownJob,
  mayHaveRunningJobs,
  type SkippedRecords,
  userJobsQuery,
} from '#web/shared/bulk-operations/user-jobs.ts'

import { undoAction } from '#web/shared/bulk-operations/send-bulk.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'

/** Ended jobs that this browser has announced and dismissed. */
const SEEN_KEY = 'jobs-seen'
const MAX_SEEN = 50

function seenIds(): readonly string[] {
  const kept = readStoredJson(SEEN_KEY)
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
}

/** The user's running jobs and those whose end wasn't seen, newest first; announces each end. */
export function useUserJobs(): { readonly jobs: readonly KnownJob[]; readonly clear: () => void } {
  const { data, isSuccess } = useQuery({ ...userJobsQuery, enabled: mayHaveRunningJobs })
  const all = data ?? NONE
  const { data: collections } = useQuery(collectionsQuery)
  const [seen, setSeen] = useState(seenIds)
  const note = (ids: readonly string[]) => {
    const next = [...new Set([...ids, ...seenIds()])].slice(0, MAX_SEEN)
    setStored(SEEN_KEY, JSON.stringify(next))
    setSeen(next)
  }
  const known = useMemo(
    () =>
      all.map((job): KnownJob => {
        const body = collections?.find(({ id }) => id === job.collection)
        return { job, collection: body && typedCollection(body) }
      }),
    [all, collections],
  )
  useJobEnds(known, note)
  useRefetchWhileRunning(known)
  const isOver = ({ job }: KnownJob): boolean => job.state !== 'running'
  const jobs = known.filter((each) => each.job.does !== 'change-field' && !(isOver(each) && seen.includes(each.job.id)))
  const isNone = isSuccess && jobs.length === 0
  useEffect(() => {
    if (isNone) forgetStarted()
  }, [isNone])
  return { jobs, clear: () => note(known.filter(isOver).map(({ job }) => job.id)) }
}

const NONE: readonly JobBody[] = []

/** Often enough to be visible, rarely enough to be cheap. */
const SHOW_EVERY_MS = 5000

/** Refreshes the list while a job changes it. */
function useRefetchWhileRunning(known: readonly KnownJob[]): void {
  const queryClient = useQueryClient()
  const shown = useRef<ReadonlyMap<string, { readonly done: number; readonly at: number }>>(new Map())
  useEffect(() => {
    const next = new Map<string, { readonly done: number; readonly at: number }>()
    for (const { job, collection } of known) {
      if (job.state !== 'running') continue
      const before = shown.current.get(job.id) ?? { done: 0, at: performance.now() }
      const isDue = job.done > before.done && performance.now() - before.at >= SHOW_EVERY_MS
      next.set(job.id, isDue ? { done: job.done, at: performance.now() } : before)
      if (isDue && collection) invalidateLists(queryClient, collection.name)
    }
    shown.current = next
  })
}

function useJobEnds(known: readonly KnownJob[], note: (ids: readonly string[]) => void): void {
  const queryClient = useQueryClient()
  const showRefused = useShowSkipped()
  const running = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const ended = known.filter(({ job }) => job.state !== 'running' && running.current.has(job.id))
    running.current = new Set(known.filter(({ job }) => job.state === 'running').map(({ job }) => job.id))
    for (const each of ended) {
      const { job, collection } = each
      // The collection settings announce changes of fields.
      if (job.does === 'change-field') continue
      notifyEnd(each, {
        onShow: (refusals) => collection && showRefused(collection.name, refusals),
        undo: collection && undoAction(queryClient, { collection: collection.name, changeSet: job.id }),
      })
      if (collection) void queryClient.invalidateQueries({ queryKey: queryKeys.records(collection.name) })
    }
    // Successful announced jobs aren't listed again.
    const well = ended.filter(({ job }) => job.state !== 'failed' && job.refused.length === 0)
    if (well.length > 0) note(well.map(({ job }) => job.id))
  })
}

type JobEndContext = {
  readonly onShow: (refusals: readonly SkippedRecords[]) => void
  readonly undo: ReturnType<typeof undoAction> | undefined
}

function notifyEnd(known: KnownJob, { onShow, undo: action }: JobEndContext): void {
  const { job } = known
  const { text, detail } = endText(known)
  const id = `job-${job.id}`
  const run = (): void => {
    notify.dismiss(id)
    onShow(job.refused)
  }
  const show = job.refused.length > 0 && { action: { label: t('Show them'), run } }
  const undo = canBeUndone(job) && action && { action }
  const options = { id, ...(detail !== undefined && { detail }), ...undo, ...show }
  if (job.state === 'failed') notify.error(text, options)
  else if (job.state === 'cancelled') notify.info(text, { ...options, stays: true })
  else if (job.refused.length > 0) notify.warning(text, options)
  else notify.success(text, options)
}
