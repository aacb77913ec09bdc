import * as api from '#api/account.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'

/** Reloads the page, so that no data of the previous user remains. */
const reloadAt = (path: string): void => window.location.assign(path)

function notifyFailed(error: unknown): void {
  if (toCallError(error)?.code === 'aborted') return
  const { title, detail } = describeError(error)
  notify.error(title, { detail })
}

export const startImpersonation = (user: string): void =>
  void call(api.startImpersonation, { body: { user } }).then(() => reloadAt(sessionConfig.routes.home), notifyFailed)

/** Stops impersonation. Must work even if impersonation is no longer allowed, because all other requests then fail. */
export function stopImpersonation(): void {
  const goOn = () => reloadAt('/settings/users')
  void call(api.stopImpersonation).then(goOn, (error: unknown) =>
    toCallError(error)?.code === 'forbidden' ? goOn() : notifyFailed(error),
  )
}
