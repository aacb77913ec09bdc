import { withoutCancellation } from '#server/platform/database/cancellation.ts'

/** Runs background work one item at a time, so that it uses at most one slot. */
export type BackgroundQueue = {
  readonly add: <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined>
  readonly atRest: () => Promise<void>
  readonly close: () => void
}

/** Maximum queue length; further items would run too late to be useful. */
const MAX_WAITING = 50

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
