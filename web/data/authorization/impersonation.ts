import { beginViewAs, endViewAs } from '#api/impersonation.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'

/** A page that is loaded anew shows nothing of what was read before. */
const reloadAt = (path: string): void => window.location.assign(path)

function notifyFailed(error: unknown): void {
  if (toCallError(error)?.code === 'aborted') return
  const { title, detail } = describeError(error)
  notify.error(title, { detail })
}

/** From now on this session shows the product as somebody else sees it. */
export const startImpersonation = (user: string): void =>
  void call(beginViewAs, { body: { user } }).then(() => reloadAt(sessionConfig.routes.home), notifyFailed)

/** Goes on as oneself; also where one may not look any more, for then every answer is refused. */
export function stopImpersonation(): void {
  const goOn = () => reloadAt('/settings/users')
  void call(endViewAs).then(goOn, (error: unknown) =>
    toCallError(error)?.code === 'forbidden' ? goOn() : notifyFailed(error),
  )
}
