import { useState } from 'react'
import type { JobBody } from '#api/bulk.ts'
import { HeadButton } from '#web/kit/head-button/head-button.tsx'
import { ProgressRing } from '#web/kit/head-button/progress-ring.tsx'
import { IconAlertCircle } from '#web/kit/icons/icon-alert-circle.ts'
import { IconCircleCheck } from '#web/kit/icons/icon-circle-check.ts'
import { percentText } from '#web/kit/percent-text.ts'
import { t } from '#web/language/t.ts'
import { doingText, type KnownJob, progressOf } from './job-words.ts'
import { JobList } from './job-list.tsx'
import { countRefused } from './own-jobs.ts'
import { useOwnJobs } from './use-own-jobs.ts'
import './jobs.css'

/** What the server does for whoever is signed in beside everything else, wherever they are; nothing while there is nothing. */
export function JobsButton() {
  const { jobs, clear } = useOwnJobs()
  const [isOpen, setOpen] = useState(false)
  const running = jobs.filter(({ job }) => job.state === 'running')
  return (
    <HeadButton
      isThere={jobs.length > 0}
      name={t('Jobs')}
      spoken={t('Jobs: ')}
      text={shortText(jobs)}
      icon={<JobsIcon jobs={jobs} />}
      announcement={running.map((known) => doingText(known)).join(', ')}
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
    </HeadButton>
  )
}

/** As short as the head of a page on a telephone. */
function shortText(jobs: readonly KnownJob[]): string {
  const running = jobs.filter(({ job }) => job.state === 'running')
  const [only] = running
  if (running.length > 1) return t('{runningCount} jobs', { runningCount: running.length })
  if (only) return shareText(only.job)
  const refused = jobs.reduce((sum, { job }) => sum + countRefused(job.refused), 0)
  if (refused > 0) return t('{refused} refused', { refused })
  return jobs.some(({ job }) => job.state === 'failed') ? t('Stopped') : t('Done')
}

function shareText(job: JobBody): string {
  const { share } = progressOf(job)
  return share === undefined ? t('Working') : percentText(share)
}

/** How far the work is, and how it ended. */
function JobsIcon({ jobs }: { readonly jobs: readonly KnownJob[] }) {
  const running = jobs.find(({ job }) => job.state === 'running')
  if (running) return <ProgressRing share={progressOf(running.job).share} />
  const isWell = jobs.every(({ job }) => job.state !== 'failed' && job.refused.length === 0)
  return isWell ? <IconCircleCheck size={16} stroke={1.5} /> : <IconAlertCircle size={16} stroke={1.5} />
}
