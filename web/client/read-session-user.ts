import { readSessionUser, type SessionUser } from '#api/sessions.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { CallFailed } from './call-failed.ts'
import type { Exchange } from './exchange.ts'
import { VIEW_AS } from './own-headers.ts'
import { delayAfterTries } from './retry-delays.ts'

const userMissing = (): CallFailed => new CallFailed('unreadable-answer', SESSION_ERRORS.noUserField)

/** The user of an answer; throws where there is none. */
export function userIn({ user }: { readonly user?: SessionUser | undefined }): SessionUser {
  if (user === undefined) throw userMissing()
  return user
}

/** Whether the server answered without the user. */
export const isUserMissing = ({ detail }: CallFailed): boolean => detail === SESSION_ERRORS.noUserField

type Needs = { readonly exchange: Exchange; readonly wait: (ms: number) => Promise<void> }

type Found = { readonly ok: true; readonly user: SessionUser } | { readonly ok: false; readonly failure: CallFailed }

/** Makes the way to learn whose token this is; while the server is away it asks again, at most so many times. */
export function createReadUser({ exchange, wait }: Needs) {
  async function ask(token: string, viewAs?: string): Promise<Found> {
    const { method, path } = readSessionUser
    const headers = { authorization: `Bearer ${token}`, ...(viewAs !== undefined && { [VIEW_AS]: viewAs }) }
    const exchanged = await exchange({ method, path, headers, answer: 'json' })
    if (!exchanged.ok) return exchanged
    // Shaped by the server after the endpoint's schema; only its presence is in question.
    const { user } = exchanged.body as { readonly user?: SessionUser }
    return user ? { ok: true, user } : { ok: false, failure: userMissing() }
  }

  /** A session that looks as somebody else does so from its first page on; where it may not any more, it goes on as itself. */
  async function askAsSeen(token: string): Promise<Found> {
    const found = await ask(token)
    const view = found.ok ? found.user.view_as : null
    if (!view || view.is_on) return found
    const seen = await ask(token, view.user.id)
    return seen.ok || seen.failure.isPassing ? seen : found
  }

  return async function readUser(token: string, mostTries: number): Promise<Found> {
    for (let tries = 1; ; tries += 1) {
      const found = await askAsSeen(token)
      if (found.ok || !found.failure.isPassing || tries >= mostTries) return found
      await wait(delayAfterTries(tries - 1))
    }
  }
}

/** Learns whose token this is. */
export type ReadUser = ReturnType<typeof createReadUser>
