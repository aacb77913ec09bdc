import { nextClient } from '#domain/concurrency/next-client.ts'
import { clientClosedRequest } from '#server/platform/database/errors/database-errors.ts'

/** A request for capacity: the client, its cost, and the signal that cancels it. */
export type Ticket = { readonly asker: string; readonly cost: number; readonly gone: AbortSignal }

/** Takes a turn as soon as there is room; resolves with what gives it back. */
export type Acquire = (wanted: Ticket) => Promise<() => void>

/** What may be under way at a time. */
export type Limits = { readonly ofOne: number; readonly ofAll: number }

type Waiting = Ticket & { readonly begin: () => void }

/** One FIFO queue per client, served round-robin. */
function createClientQueues() {
  const lines = new Map<string, Set<Waiting>>()
  return {
    /** The first request of each queue that may start. */
    first: function* (mayBegin: (waiting: Waiting) => boolean): Generator<Waiting> {
      for (const [first] of lines.values()) if (first && mayBegin(first)) yield first
    },
    join: (waiting: Waiting): void => {
      const line = lines.get(waiting.asker)
      if (line) line.add(waiting)
      else lines.set(waiting.asker, new Set([waiting]))
    },
    leave: (waiting: Waiting): void => {
      const line = lines.get(waiting.asker)
      if (line?.delete(waiting) !== true) return
      lines.delete(waiting.asker)
      if (line.size > 0) lines.set(waiting.asker, line)
    },
  }
}

/**
 * Weighted concurrency limiter, fair between clients: at most `ofOne` cost in flight per client and `ofAll` overall;
 * when saturated, clients are served round-robin. A request above `ofOne` runs when its client has nothing else in
 * flight.
 */
export function createFairLimiter({ ofOne, ofAll }: Limits): Acquire {
  const lines = createClientQueues()
  const underWay = new Map<string, number>()
  let sum = 0

  const of = (asker: string): number => underWay.get(asker) ?? 0
  const fits = (has: number, cost: number, most: number): boolean => has === 0 || has + cost <= most
  const mayBegin = ({ asker, cost }: Ticket): boolean => fits(of(asker), cost, ofOne)

  function count(asker: string, change: number): void {
    sum += change
    const now = of(asker) + change
    if (now === 0) underWay.delete(asker)
    else underWay.set(asker, now)
  }

  function handOut(): void {
    for (;;) {
      const next = nextClient(lines.first(mayBegin), of)
      if (!next || !fits(sum, next.cost, ofAll)) return
      lines.leave(next)
      next.begin()
    }
  }

  function begin({ asker, cost }: Ticket): () => void {
    count(asker, cost)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      count(asker, -cost)
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
