import { useState } from 'react'
import type { JobBody } from '#api/bulk.ts'
import { HeaderButton } from '#web/ui/controls/header-button.tsx'
import { ProgressRing } from '#web/ui/controls/progress-ring.tsx'
import { IconAlertCircle } from '#web/ui/icons/start.ts'
import { IconCircleCheck } from '#web/ui/icons/general.ts'
import { formatPercent } from '#web/ui/text/format-percent.ts'
import { t } from '#web/i18n/t.ts'
import { describeRunning, type KnownJob, progressOf } from '#web/shared/bulk-operations/describe-job.ts'
import { JobList } from './job-list.tsx'
import { countSkipped } from '#web/shared/bulk-operations/user-jobs.ts'
import { useUserJobs } from './use-user-jobs.ts'
import './jobs.css'

/** What the server does for whoever is signed in beside everything else, wherever they are; nothing while there is nothing. */
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

/** As short as the head of a page on a telephone. */
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

/** How far the work is, and how it ended. */
function JobsIcon({ jobs }: { readonly jobs: readonly KnownJob[] }) {
  const running = jobs.find(({ job }) => job.state === 'running')
  if (running) return <ProgressRing share={progressOf(running.job).share} />
  const isWell = jobs.every(({ job }) => job.state !== 'failed' && job.refused.length === 0)
  return isWell ? <IconCircleCheck size={16} stroke={1.5} /> : <IconAlertCircle size={16} stroke={1.5} />
}
