import { nextClient } from '#domain/shared/admission.ts'
import { currentClient } from './client-context.ts'
import { databaseClosed, clientClosedRequest, readQueueFull } from '#server/platform/database/errors/database-errors.ts'
import type { QueueLoad } from '#server/platform/database/database.ts'
import type { StatementTimings } from './statement-timings.ts'
import { cancellationSignal } from '#server/platform/database/cancellation.ts'

/** Turns at reading: a statement waits until one of the places is free. They go round by who asks. */
export type ReadLimiter = {
  /** Resolves with what gives the turn back; rejects where the line is too long, or nobody waits any more. */
  readonly take: (statement: string) => Promise<() => void>
  readonly load: () => QueueLoad
  /** Refuses everybody who waits, and whoever comes. */
  readonly close: () => void
}

/** What turns are made from. */
export type ReadLimiterDeps = {
  readonly places: number
  /** So many places are never taken by statements that proved heavy: small reads pass by however many run big ones. */
  readonly keptForLight: number
  /** Whoever waited for so long, in ms, is told to come again. */
  readonly longestWaitMs: number
  readonly memory: StatementTimings
}

/** Whoever came behind so many others would wait for longer than anybody looks at a page. */
const MAX_WAITING = 1000

type Waiting = { readonly client: string; readonly begin: () => void; readonly refuse: (error: Error) => void }

/** All places are free, and nobody waits. */
export function createReadLimiter({ places, keptForLight, longestWaitMs, memory }: ReadLimiterDeps): ReadLimiter {
  const light = new Set<Waiting>()
  const heavy = new Set<Waiting>()
  const underWay = new Map<string, number>()
  let free = places
  let isClosed = false

  const of = (client: string): number => underWay.get(client) ?? 0
  const next = (): Waiting | undefined =>
    nextClient(light, of) ?? (free > keptForLight ? nextClient(heavy, of) : undefined)

  function handOut(): void {
    while (free > 0) {
      const waiting = next()
      if (!waiting) return
      light.delete(waiting)
      heavy.delete(waiting)
      free -= 1
      underWay.set(waiting.client, of(waiting.client) + 1)
      waiting.begin()
    }
  }

  function giveBack(client: string): void {
    free += 1
    if (of(client) > 1) underWay.set(client, of(client) - 1)
    else underWay.delete(client)
    handOut()
  }

  function take(statement: string): Promise<() => void> {
    if (isClosed) return Promise.reject(databaseClosed())
    if (light.size + heavy.size >= MAX_WAITING) return Promise.reject(readQueueFull())
    const turn = waitForSlot(memory.isHeavy(statement) ? heavy : light, { giveBack, longestWaitMs })
    handOut()
    return turn
  }

  return {
    take,
    load: () => ({ places, taken: places - free, waiting: light.size + heavy.size }),
    close: () => {
      isClosed = true
      for (const { refuse } of [...light, ...heavy]) refuse(databaseClosed())
      light.clear()
      heavy.clear()
    },
  }
}

type WaitOptions = { readonly giveBack: (client: string) => void; readonly longestWaitMs: number }

/** Joins a line, and leaves it when nobody waits any more, or when it took too long. */
function waitForSlot(line: Set<Waiting>, { giveBack, longestWaitMs }: WaitOptions): Promise<() => void> {
  const signal = cancellationSignal()
  if (signal?.aborted) return Promise.reject(clientClosedRequest())
  const { promise, resolve, reject } = Promise.withResolvers<() => void>()
  const client = currentClient()
  const end = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
  const refuse = (error: Error): void => {
    end()
    line.delete(waiting)
    reject(error)
  }
  const leave = (): void => refuse(clientClosedRequest())
  const waiting: Waiting = {
    client,
    begin: () => {
      end()
      resolve(() => giveBack(client))
    },
    refuse,
  }
  const timer = setTimeout(() => refuse(readQueueFull()), longestWaitMs)
  signal?.addEventListener('abort', leave)
  line.add(waiting)
  return promise
}
