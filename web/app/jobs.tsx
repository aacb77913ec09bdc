import { lazyModule, useLazyModule } from '#web/kit/later.ts'

const jobsButton = lazyModule(() => import('#web/features/records/bulk/jobs-button.tsx'))

/** What goes on beside the page; no page waits for it. */
export function Jobs() {
  const { JobsButton } = useLazyModule(jobsButton, false) ?? {}
  return JobsButton ? <JobsButton /> : null
}
