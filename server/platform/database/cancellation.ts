import { AsyncLocalStorage } from 'node:async_hooks'
import { clientClosedRequest } from './errors/database-errors.ts'

const signalStorage = new AsyncLocalStorage<AbortSignal | undefined>()

/**
 * Runs work that somebody waits for until the signal says that they went away: from then on its reads wait for no turn
 * any more, and end where the database can end them. What it writes is not touched.
 */
export const withCancellation = <Answer>(signal: AbortSignal, work: () => Answer): Answer =>
  signalStorage.run(signal, work)

/** Runs work that others may wait for as well: it does not end with whoever happened to begin it. */
export const withoutCancellation = <Answer>(work: () => Answer): Answer => signalStorage.run(undefined, work)

/** Work that several wait for: it ends when the last of them went away, and never where one cannot be known to go. */
export type SharedCancellation = {
  /** Whoever is here waits for it as well. */
  readonly join: () => void
  readonly run: <Answer>(work: () => Answer) => Answer
  /** Calls back when nobody waits any more. */
  readonly onUnwanted: (action: () => void) => void
}

/** Nobody waits for it yet. */
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

/** Says when nobody waits any more for what is asked here; undefined where that cannot be known. */
export const cancellationSignal = (): AbortSignal | undefined => signalStorage.getStore()

/** Waits for `work` as long as somebody wants it, and not for what becomes of it then. */
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
