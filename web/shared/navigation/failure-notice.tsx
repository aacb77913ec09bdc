import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { describeError } from '#web/data/api/error-messages.ts'

type FailureNoticeProps = { readonly error: unknown; readonly onRetry?: () => void }

export function FailureNotice({ error, onRetry }: FailureNoticeProps) {
  return <ErrorNotice {...describeError(error)} {...(onRetry && { onRetry })} />
}
