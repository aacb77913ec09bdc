import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { notify } from '#web/ui/toast/notify.ts'

type FailureNoticeProps = { readonly error: unknown; readonly onRetry?: () => void }

/** Empty if there is no error, and for canceled changes. */
export function FailureNotice({ error, onRetry }: FailureNoticeProps) {
  if (error === null || error === undefined || (isCanceled(error) && !onRetry)) return null
  return <ErrorNotice {...describeError(error)} {...(onRetry && { onRetry })} />
}

/** Shows a failed change as a toast, with this title or the error's own; canceled changes don't need one. */
export const notifyFailure =
  (title?: string) =>
  (error: unknown): void => {
    const failure = describeError(error)
    if (!isCanceled(error)) notify.error(title ?? failure.title, { detail: failure.detail })
  }

const isCanceled = (error: unknown): boolean => toCallError(error)?.code === 'aborted'
