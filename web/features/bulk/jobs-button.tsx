import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { cancelJob, type JobBody } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'
import { SkippedList } from '#web/features/bulk/skipped-notice.tsx'
import { t } from '#web/i18n/t.ts'
import { undoAction, undoChange } from '#web/shared/bulk-operations/send-bulk.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'
import {
  canBeUndone,
  countSkipped,
  describeDone,
  describeRunning,
  endText,
  forgetStarted,
  type KnownJob,
  mayHaveRunningJobs,
  progressOf,
  type SkippedRecords,
  takeStarted,
  userJobsQuery,
} from '#web/shared/bulk-operations/user-jobs.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { HeaderButton, ProgressRing } from '#web/ui/controls/header-button.tsx'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { IconCircleCheck } from '#web/ui/icons/later.ts'
import { IconAlertCircle } from '#web/ui/icons/start.ts'
import { formatPercent } from '#web/ui/text/format-numbers.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import './jobs.css'

/** Storage key for finished jobs that this browser has announced and dismissed. */
const SEEN_KEY = 'jobs-seen'
const MAX_SEEN = 50

function seenIds(): readonly string[] {
  const kept = readStoredJson(SEEN_KEY)
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
}

/** The user's running jobs and those whose result hasn't been shown yet, newest first. Announces jobs when they end. */
function useUserJobs(): { readonly jobs: readonly KnownJob[]; readonly clear: () => void } {
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
  const jobs = known.filter((each) => !(isOver(each) && (isFieldChange(each) || seen.includes(each.job.id))))
  const isNone = isSuccess && jobs.length === 0
  useEffect(() => {
    if (isNone) forgetStarted()
  }, [isNone])
  return { jobs, clear: () => note(known.filter(isOver).map(({ job }) => job.id)) }
}

const NONE: readonly JobBody[] = []

/** Finished ones are only announced, here or by the collection settings. */
const isFieldChange = ({ job }: KnownJob): boolean => job.does === 'change-field'

/** Refresh interval in ms: short enough for visible progress, long enough to limit requests. */
const SHOW_EVERY_MS = 5000

/** Refetches the list while a job is changing it. */
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
    const ended = known.filter(
      ({ job }) => job.state !== 'running' && (takeStarted(job.id) || running.current.has(job.id)),
    )
    running.current = new Set(known.filter(({ job }) => job.state === 'running').map(({ job }) => job.id))
    for (const each of ended) {
      const { job, collection } = each
      notifyEnd(each, {
        onShow: (refusals) => collection && showRefused(collection.name, refusals),
        undo: collection && undoAction(queryClient, { collections: [collection.name], changeSet: job.id }),
      })
      if (!collection) continue
      for (const queryKey of [
        queryKeys.records(collection.name),
        queryKeys.home,
        queryKeys.trash,
        queryKeys.activity,
        ...(isFieldChange(each) ? [queryKeys.collections] : []),
      ]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    }
    // Jobs that succeeded aren't listed after they have been announced.
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
  const options = { id, isAboutWorkspace: true as const, ...(detail !== undefined && { detail }), ...undo, ...show }
  if (job.state === 'failed') notify.error(text, options)
  else if (job.state === 'cancelled') notify.info(text, { ...options, stays: true })
  else if (job.refused.length > 0) notify.warning(text, options)
  else notify.success(text, options)
}

type JobListProps = {
  readonly jobs: readonly KnownJob[]
  readonly onLeave: () => void
  readonly onClear: () => void
}

function JobList({ jobs, onLeave, onClear }: JobListProps) {
  const hasEnded = jobs.some(({ job }) => job.state !== 'running')
  return (
    <>
      <ul className="jobs-list">
        {jobs.map((known) => (
          <li key={known.job.id}>
            {known.job.state === 'running' ? <Running known={known} /> : <Ended known={known} onLeave={onLeave} />}
          </li>
        ))}
      </ul>
      {hasEnded && (
        <div className="jobs-end">
          <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
            {t('Clear finished')}
          </Button>
        </div>
      )}
    </>
  )
}

function Running({ known }: { readonly known: KnownJob }) {
  const { text, share } = progressOf(known.job)
  return (
    <>
      <div className="jobs-head">
        <strong>{describeRunning(known)}</strong>
        <Button
          size="xs"
          aria-label={t('Stop: {doingText}', { doingText: describeRunning(known) })}
          onClick={() => stop(known.job)}
        >
          {t('Stop', {}, 'a job')}
        </Button>
      </div>
      <ProgressLine label={text} afterMs={0} {...(share !== undefined && { done: share })} />
    </>
  )
}

/** Cancels a job; polling announces when it has ended. */
function stop({ id }: JobBody): void {
  void call(cancelJob, { params: { job: id } }).then(undefined, notifyFailure(t('Couldn’t stop the job')))
}

function Ended({ known, onLeave }: { readonly known: KnownJob; readonly onLeave: () => void }) {
  const { job, collection } = known
  const showRefused = useShowSkipped()
  const queryClient = useQueryClient()
  return (
    <>
      <div className="jobs-head">
        <strong>
          {job.state === 'done'
            ? describeDone(known)
            : t('Stopped. {doneText} so far', { doneText: describeDone(known) })}
        </strong>
      </div>
      <p className="jobs-about">
        {collection && `${collection.label} · `}
        {job.endedAt !== null && <RelativeTime at={job.endedAt} />}
      </p>
      {job.failure !== null && <p className="jobs-failure">{job.failure}</p>}
      {job.refused.length > 0 && <SkippedList refusals={job.refused} />}
      {canBeUndone(job) && collection && (
        <Button
          size="xs"
          onClick={() => void undoChange(queryClient, { collections: [collection.name], changeSet: job.id })}
        >
          {t('Undo')}
        </Button>
      )}
      {job.refused.length > 0 && collection && (
        <Button
          size="xs"
          onClick={() => {
            onLeave()
            showRefused(collection.name, job.refused)
          }}
        >
          {t('Show them')}
        </Button>
      )}
    </>
  )
}

export function JobsButton() {
  const { jobs, clear } = useUserJobs()
  const [isOpen, setOpen] = useState(false)
  const running = jobs.filter(({ job }) => job.state === 'running')
  return (
    <HeaderButton
      isThere={jobs.length > 0}
      name={t('Jobs')}
      spoken={t('Jobs: ')}
      text={shortText(jobs)}
      icon={<JobsIcon jobs={jobs} />}
      announcement={running.map((known) => describeRunning(known)).join(', ')}
      widthPx={360}
      isOpen={isOpen}
      onOpen={setOpen}
    >
      <JobList
        jobs={jobs}
        onLeave={() => setOpen(false)}
        onClear={() => {
          setOpen(running.length > 0)
          clear()
        }}
      />
    </HeaderButton>
  )
}

/** A short upload status that fits in the header on a phone. */
function shortText(jobs: readonly KnownJob[]): string {
  const running = jobs.filter(({ job }) => job.state === 'running')
  const [only] = running
  if (running.length > 1) return t('{runningCount} jobs', { runningCount: running.length })
  if (only) return progressText(only.job)
  const refused = jobs.reduce((sum, { job }) => sum + countSkipped(job.refused), 0)
  if (refused > 0) return t('{refused} failed', { refused })
  return jobs.some(({ job }) => job.state === 'failed') ? t('Stopped') : t('Done')
}

function progressText(job: JobBody): string {
  const { share } = progressOf(job)
  return share === undefined ? t('In progress') : formatPercent(share)
}

function JobsIcon({ jobs }: { readonly jobs: readonly KnownJob[] }) {
  const running = jobs.find(({ job }) => job.state === 'running')
  if (running) return <ProgressRing share={progressOf(running.job).share} />
  const isWell = jobs.every(({ job }) => job.state !== 'failed' && job.refused.length === 0)
  return isWell ? <IconCircleCheck size={16} stroke={1.5} /> : <IconAlertCircle size={16} stroke={1.5} />
}
