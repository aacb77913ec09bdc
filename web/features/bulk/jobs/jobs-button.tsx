import { useState } from 'react'
import { cancelJob, type JobBody } from '#api/bulk.ts'
import { HeaderButton, ProgressRing } from '#web/ui/controls/header-button.tsx'

import { IconAlertCircle } from '#web/ui/icons/start.ts'
import { IconCircleCheck } from '#web/ui/icons/later.ts'
import { formatPercent } from '#web/ui/text/format-numbers.ts'
import { t } from '#web/i18n/t.ts'
import {
  canBeUndone,
  countSkipped,
  describeDone,
  describeRunning,
  type KnownJob,
  progressOf,
} from '#web/shared/bulk-operations/user-jobs.ts'

import { useUserJobs } from './use-user-jobs.ts'
import './jobs.css'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { SkippedList } from '#web/features/bulk/skipped-notice.tsx'
import { undoDeletion } from '#web/shared/bulk-operations/send-bulk.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'

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

/** The end of the job is announced when it is polled. */
function stop({ id }: JobBody): void {
  void call(cancelJob, { params: { job: id } }).then(undefined, (error: unknown) =>
    notify.error(t('Couldn’t stop the job'), { detail: describeError(error).detail }),
  )
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
          onClick={() => void undoDeletion(queryClient, { collection: collection.name, changeSet: job.id })}
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

/** Short enough for a phone's header. */
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
