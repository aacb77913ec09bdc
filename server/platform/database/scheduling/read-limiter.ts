import { AsyncLocalStorage } from 'node:async_hooks'
import { nextClient } from '#domain/shared/admission.ts'
import { cancellationSignal } from '#server/platform/database/cancellation.ts'
import { clientClosedRequest, databaseClosed, readQueueFull } from '#server/platform/database/database-errors.ts'
import type { QueueLoad } from '#server/platform/database/database.ts'
import type { StatementTimings } from './statement-timings.ts'

const clientStorage = new AsyncLocalStorage<string>()

/** Runs work on behalf of a client, so that its reads alternate with other clients' reads. */
export const runAsClient = <Answer>(clientId: string, work: () => Answer): Answer => clientStorage.run(clientId, work)

/** The current client; the server's own work counts as one client. */
const currentClient = (): string => clientStorage.getStore() ?? 'the server'

export type ReadLimiter = {
  readonly take: (statement: string) => Promise<() => void>
  readonly load: () => QueueLoad
  readonly close: () => void
}

export type ReadLimiterDeps = {
  readonly places: number
  /** Slots reserved for light statements, so that heavy ones can't block them. */
  readonly keptForLight: number
  /** Maximum wait in ms before the client gets an error with a retry delay. */
  readonly longestWaitMs: number
  readonly memory: StatementTimings
}

const MAX_WAITING = 1000

type Waiting = { readonly client: string; readonly begin: () => void; readonly refuse: (error: Error) => void }

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
