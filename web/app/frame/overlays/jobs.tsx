import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'

const jobsButton = lazyModule(() => import('#web/features/bulk/jobs/jobs-button.tsx'))

/** What goes on beside the page; no page waits for it. */
export function Jobs() {
  const { JobsButton } = useLazyModule(jobsButton, false) ?? {}
  return JobsButton ? <JobsButton /> : null
}
