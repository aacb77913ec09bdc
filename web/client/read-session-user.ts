import { readSessionUser, type SessionUser } from '#api/sessions.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { CallFailed } from './call-failed.ts'
import type { Exchange } from './exchange.ts'
import { delayAfterTries } from './retry-delays.ts'

type Needs = { readonly exchange: Exchange; readonly wait: (ms: number) => Promise<void> }

type Found = { readonly ok: true; readonly user: SessionUser } | { readonly ok: false; readonly failure: CallFailed }

/** Makes the way to learn whose token this is; while the server is away it asks again, at most so many times. */
export function createReadUser({ exchange, wait }: Needs) {
  async function ask(token: string): Promise<Found> {
    const { method, path } = readSessionUser
    const exchanged = await exchange({ method, path, headers: { authorization: `Bearer ${token}` }, answer: 'json' })
    if (!exchanged.ok) return exchanged
    // Shaped by the server after the endpoint's schema; only its presence is in question.
    const { user } = exchanged.body as { readonly user?: SessionUser }
    return user
      ? { ok: true, user }
      : { ok: false, failure: new CallFailed('unreadable-answer', SESSION_ERRORS.noUserField) }
  }

  return async function readUser(token: string, mostTries: number): Promise<Found> {
    for (let tries = 1; ; tries += 1) {
      const found = await ask(token)
      if (found.ok || !found.failure.isPassing || tries >= mostTries) return found
      await wait(delayAfterTries(tries - 1))
    }
  }
}

/** Learns whose token this is. */
export type ReadUser = ReturnType<typeof createReadUser>
