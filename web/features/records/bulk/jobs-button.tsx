import { Button, Popover } from '@mantine/core'
import { useState } from 'react'
import type { JobBody } from '#api/bulk.ts'
import { formatCount } from '#web/fields/format-value.ts'
import { IconAlertCircle } from '#web/kit/icons/icon-alert-circle.ts'
import { IconCircleCheck } from '#web/kit/icons/icon-circle-check.ts'
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
    <>
      <div role="status" className="visually-hidden">
        {running.map((known) => doingText(known)).join(', ')}
      </div>
      {jobs.length > 0 && (
        <Popover position="bottom-end" shadow="md" trapFocus returnFocus opened={isOpen} onChange={setOpen} width={360}>
          <Popover.Target>
            <Button
              size="sm"
              variant="subtle"
              color="gray"
              className="jobs-button"
              aria-haspopup="dialog"
              leftSection={<JobsIcon jobs={jobs} />}
              onClick={() => setOpen(!isOpen)}
            >
              <span className="visually-hidden">Jobs: </span>
              {shortText(jobs)}
            </Button>
          </Popover.Target>
          <Popover.Dropdown className="jobs" aria-label="Jobs">
            <JobList
              jobs={jobs}
              onLeave={() => setOpen(false)}
              onClear={() => {
                setOpen(running.length > 0)
                clear()
              }}
            />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

/** As short as the head of a page on a telephone. */
function shortText(jobs: readonly KnownJob[]): string {
  const running = jobs.filter(({ job }) => job.state === 'running')
  const [only] = running
  if (running.length > 1) return `${running.length} jobs`
  if (only) return percentText(only.job)
  const refused = jobs.reduce((sum, { job }) => sum + countRefused(job.refused), 0)
  if (refused > 0) return `${formatCount(refused)} refused`
  return jobs.some(({ job }) => job.state === 'failed') ? 'Stopped' : 'Done'
}

function percentText(job: JobBody): string {
  const { share } = progressOf(job)
  return share === undefined ? 'Working' : `${Math.floor(share * 100)} %`
}

const RING = 2 * Math.PI * 7

/** A ring that fills as the work goes on, and how it ended. */
function JobsIcon({ jobs }: { readonly jobs: readonly KnownJob[] }) {
  const running = jobs.find(({ job }) => job.state === 'running')
  if (!running) {
    const isWell = jobs.every(({ job }) => job.state !== 'failed' && job.refused.length === 0)
    return isWell ? <IconCircleCheck size={16} stroke={1.5} /> : <IconAlertCircle size={16} stroke={1.5} />
  }
  const { share } = progressOf(running.job)
  return (
    <svg
      aria-hidden
      width={16}
      height={16}
      viewBox="0 0 18 18"
      className="jobs-ring"
      data-unknown={share === undefined || undefined}
    >
      <circle cx={9} cy={9} r={7} className="jobs-ring-track" />
      <circle cx={9} cy={9} r={7} className="jobs-ring-done" strokeDasharray={`${RING * (share ?? 0.25)} ${RING}`} />
    </svg>
  )
}
