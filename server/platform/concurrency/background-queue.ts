import { withoutCancellation } from '#server/platform/database/cancellation.ts'

/** Runs background work one item at a time, so that it takes at most one slot. */
export type BackgroundQueue = {
  /** Queues work and resolves with its result; undefined when it failed, or when the queue is full or closed. */
  readonly add: <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined>
  /** Waits until everything in the line is done. */
  readonly atRest: () => Promise<void>
  /** Begins nothing more, and asks no more what becomes of what runs. */
  readonly close: () => void
}

/** Longer queues would be served too late to be useful. */
const MAX_WAITING = 50

/** Creates an empty queue. `report` receives errors. */
export function createBackgroundQueue(report: (error: unknown) => void): BackgroundQueue {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let isClosed = false

  return {
    add: async (work) => {
      if (isClosed || waiting >= MAX_WAITING) return undefined
      waiting += 1
      const done = last.then(async () => (isClosed ? undefined : withoutCancellation(work)))
      const answer = done.then(undefined, (error: unknown) => {
        if (!isClosed) report(error)
        return undefined
      })
      last = answer.then(() => (waiting -= 1))
      return answer
    },
    atRest: async () => {
      while (waiting > 0) await last
    },
    close: () => {
      isClosed = true
    },
  }
}
