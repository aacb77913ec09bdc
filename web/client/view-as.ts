import { beginViewAs, endViewAs } from '#api/view-as.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { toCallError } from './call-failed.ts'
import { call } from './call.ts'
import { describeError } from './problem-text.ts'
import { sessionConfig } from './session-config.ts'

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
