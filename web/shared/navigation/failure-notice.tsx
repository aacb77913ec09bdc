import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { describeError } from '#web/data/api/error-messages.ts'

type FailureNoticeProps = { readonly error: unknown; readonly onRetry?: () => void }

/** What went wrong, in the place where it went wrong. */
export function FailureNotice({ error, onRetry }: FailureNoticeProps) {
  return <ErrorNotice {...describeError(error)} {...(onRetry && { onRetry })} />
}
