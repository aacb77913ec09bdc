import { beginViewAs, endViewAs } from '#api/view-as.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { asCallFailed } from './call-failed.ts'
import { call } from './call.ts'
import { failureText } from './problem-text.ts'
import { sessionConfig } from './session-config.ts'

/** A page that is loaded anew shows nothing of what was read before. */
const startAt = (path: string): void => window.location.assign(path)

function sayFailed(error: unknown): void {
  if (asCallFailed(error)?.code === 'aborted') return
  const { title, detail } = failureText(error)
  notify.error(title, { detail })
}

/** From now on this session shows the product as somebody else sees it. */
export const seeAs = (user: string): void =>
  void call(beginViewAs, { body: { user } }).then(() => startAt(sessionConfig.routes.home), sayFailed)

/** Goes on as oneself; also where one may not look any more, for then every answer is refused. */
export function seeAsOneself(): void {
  const goOn = () => startAt('/settings/users')
  void call(endViewAs).then(goOn, (error: unknown) =>
    asCallFailed(error)?.code === 'forbidden' ? goOn() : sayFailed(error),
  )
}
