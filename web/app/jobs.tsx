import { later, useLater } from '#web/kit/later.ts'

const jobsButton = later(() => import('#web/features/records/bulk/jobs-button.tsx'))

/** What goes on beside the page; no page waits for it. */
export function Jobs() {
  const { JobsButton } = useLater(jobsButton, false) ?? {}
  return JobsButton ? <JobsButton /> : null
}
