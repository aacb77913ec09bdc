import { nextClient } from '#domain/shared/admission.ts'
import { clientClosedRequest } from '#server/platform/database/database-errors.ts'

export type Ticket = { readonly client: string; readonly cost: number; readonly gone: AbortSignal }

export type Acquire = (wanted: Ticket) => Promise<() => void>

export type Limits = { readonly perClient: number; readonly total: number }

type Waiting = Ticket & { readonly begin: () => void }

function createClientQueues() {
  const lines = new Map<string, Set<Waiting>>()
  return {
    first: function* (mayBegin: (waiting: Waiting) => boolean): Generator<Waiting> {
      for (const [first] of lines.values()) if (first && mayBegin(first)) yield first
    },
    join: (waiting: Waiting): void => {
      const line = lines.get(waiting.client)
      if (line) line.add(waiting)
      else lines.set(waiting.client, new Set([waiting]))
    },
    leave: (waiting: Waiting): void => {
      const line = lines.get(waiting.client)
      if (line?.delete(waiting) !== true) return
      lines.delete(waiting.client)
      if (line.size > 0) lines.set(waiting.client, line)
    },
  }
}

/**
 * A weighted concurrency limiter that is fair between clients. Each client can have at most `perClient` cost in flight,
 * and all clients together `total`; when saturated, clients are served round-robin. A request that costs more than
 * `perClient` runs when its client has nothing else in flight.
 */
export function createFairLimiter({ perClient, total }: Limits): Acquire {
  const lines = createClientQueues()
  const underWay = new Map<string, number>()
  let sum = 0

  const of = (client: string): number => underWay.get(client) ?? 0
  const fits = (has: number, cost: number, max: number): boolean => has === 0 || has + cost <= max
  const mayBegin = ({ client, cost }: Ticket): boolean => fits(of(client), cost, perClient)

  function count(client: string, change: number): void {
    sum += change
    const now = of(client) + change
    if (now === 0) underWay.delete(client)
    else underWay.set(client, now)
  }

  function handOut(): void {
    for (;;) {
      const next = nextClient(lines.first(mayBegin), of)
      if (!next || !fits(sum, next.cost, total)) return
      lines.leave(next)
      next.begin()
    }
  }

  function begin({ client, cost }: Ticket): () => void {
    count(client, cost)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      count(client, -cost)
      handOut()
    }
  }

  return (wanted) => {
    const { gone } = wanted
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const leave = (): void => {
      lines.leave(waiting)
      reject(clientClosedRequest())
    }
    const waiting: Waiting = {
      ...wanted,
      begin: () => {
        gone.removeEventListener('abort', leave)
        resolve(begin(wanted))
      },
    }
    gone.addEventListener('abort', leave)
    lines.join(waiting)
    if (gone.aborted) leave()
    else handOut()
    return promise
  }
}
