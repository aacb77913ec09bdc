import { readSessionUser, type SessionUser } from '#api/sessions.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { CallError } from '#web/data/api/call-error.ts'
import type { SendRequest } from '#web/data/api/send-request.ts'
import { VIEW_AS } from '#web/data/api/request-headers.ts'
import { delayAfterTries } from '#web/data/connection/retry-delays.ts'

const userMissing = (): CallError => new CallError('unreadable-answer', SESSION_ERRORS.noUserField)

/** The user of an answer; throws where there is none. */
export function userIn({ user }: { readonly user?: SessionUser | undefined }): SessionUser {
  if (user === undefined) throw userMissing()
  return user
}

/** Whether the server answered without the user. */
export const isUserMissing = ({ detail }: CallError): boolean => detail === SESSION_ERRORS.noUserField

type ReadUserDeps = { readonly exchange: SendRequest; readonly wait: (ms: number) => Promise<void> }

type ReadUserResult =
  | { readonly ok: true; readonly user: SessionUser }
  | { readonly ok: false; readonly failure: CallError }

/** Makes the way to learn whose token this is; while the server is away it asks again, at most so many times. */
export function createReadUser({ exchange, wait }: ReadUserDeps) {
  async function ask(token: string, viewAs?: string): Promise<ReadUserResult> {
    const { method, path } = readSessionUser
    const headers = { authorization: `Bearer ${token}`, ...(viewAs !== undefined && { [VIEW_AS]: viewAs }) }
    const exchanged = await exchange({ method, path, headers, answer: 'json' })
    if (!exchanged.ok) return exchanged
    // Shaped by the server after the endpoint's schema; only its presence is in question.
    const { user } = exchanged.body as { readonly user?: SessionUser }
    return user ? { ok: true, user } : { ok: false, failure: userMissing() }
  }

  /** A session that looks as somebody else does so from its first page on; where it may not any more, it goes on as itself. */
  async function askAsSeen(token: string): Promise<ReadUserResult> {
    const found = await ask(token)
    const view = found.ok ? found.user.view_as : null
    if (!view || view.is_on) return found
    const seen = await ask(token, view.user.id)
    return seen.ok || seen.failure.isPassing ? seen : found
  }

  return async function readUser(token: string, mostTries: number): Promise<ReadUserResult> {
    for (let tries = 1; ; tries += 1) {
      const found = await askAsSeen(token)
      if (found.ok || !found.failure.isPassing || tries >= mostTries) return found
      await wait(delayAfterTries(tries - 1))
    }
  }
}

/** Learns whose token this is. */
export type ReadUser = ReturnType<typeof createReadUser>
