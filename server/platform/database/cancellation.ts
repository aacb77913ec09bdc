import { AsyncLocalStorage } from 'node:async_hooks'
import { clientClosedRequest } from './database-errors.ts'

const signalStorage = new AsyncLocalStorage<AbortSignal | undefined>()

/** Runs work with an abort signal: queued reads are dropped and running ones are canceled. Writes continue. */
export const withCancellation = <Answer>(signal: AbortSignal, work: () => Answer): Answer =>
  signalStorage.run(signal, work)

/** Runs shared work that must continue if the client that started it disconnects. */
export const withoutCancellation = <Answer>(work: () => Answer): Answer => signalStorage.run(undefined, work)

/**
 * Work shared by several clients; canceled when the last one has disconnected, but never if a client can't be tracked.
 */
export type SharedCancellation = {
  readonly join: () => void
  readonly run: <Answer>(work: () => Answer) => Answer
  readonly onUnwanted: (action: () => void) => void
}

export function createSharedCancellation(): SharedCancellation {
  const ending = new AbortController()
  let waiting = 0
  const leave = (): void => {
    waiting -= 1
    if (waiting === 0) ending.abort()
  }
  return {
    join: () => {
      waiting += 1
      const signal = cancellationSignal()
      signal?.addEventListener('abort', leave)
      if (signal?.aborted) leave()
    },
    run: (work) => withCancellation(ending.signal, work),
    onUnwanted: (action) => ending.signal.addEventListener('abort', action),
  }
}

export const cancellationSignal = (): AbortSignal | undefined => signalStorage.getStore()

/** Waits for `work` while the client is connected; ignores its result afterwards. */
export async function raceCancellation<Answer>(
  signal: AbortSignal | undefined,
  work: Promise<Answer>,
): Promise<Answer> {
  if (signal === undefined) return work
  const unwanted = Promise.withResolvers<never>()
  const end = (): void => unwanted.reject(clientClosedRequest())
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await Promise.race([work, unwanted.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
