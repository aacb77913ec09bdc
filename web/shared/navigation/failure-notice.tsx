import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { notify } from '#web/ui/toast/notify.ts'

type FailureNoticeProps = { readonly error: unknown; readonly onRetry?: () => void }

/** Renders nothing if there is no error or the change was canceled. */
export function FailureNotice({ error, onRetry }: FailureNoticeProps) {
  if (error === null || error === undefined || (isCanceled(error) && !onRetry)) return null
  return <ErrorNotice {...describeError(error)} {...(onRetry && { onRetry })} />
}

/**
 * Shows a failed change as a toast, titled with the given text or the error's title. Canceled changes aren't reported.
 */
export const notifyFailure =
  (title?: string) =>
  (error: unknown): void => {
    const failure = describeError(error)
    if (!isCanceled(error)) notify.error(title ?? failure.title, { detail: failure.detail })
  }

const isCanceled = (error: unknown): boolean => toCallError(error)?.code === 'aborted'
