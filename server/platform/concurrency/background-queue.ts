import { withoutCancellation } from '#server/platform/database/cancellation.ts'

/** Work nobody has to wait for, done one after the other, so that it never takes more than one place from those who do. */
export type BackgroundQueue = {
  /**
   * Adds work to the end and answers what came of it; undefined when it failed, or when the line is full or closed:
   * whoever needs it will ask again.
   */
  readonly add: <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined>
  /** Waits until everything in the line is done. */
  readonly atRest: () => Promise<void>
  /** Begins nothing more, and asks no more what becomes of what runs. */
  readonly close: () => void
}

/** Longer lines would be served after everybody has gone. */
const MAX_WAITING = 50

/** An empty line. `report` is told of work that failed. */
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
