export type Semaphore = {
  /** Runs `work` when a slot is free; undefined at once when the queue is full. */
  readonly enter: <Answer>(work: () => Promise<Answer>) => Promise<Answer> | undefined
}

export function createSemaphore(atATime: number, inLine: number): Semaphore {
  const waiting: (() => void)[] = []
  let inside = 0

  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) inside -= 1
    else next()
  }
  const run = async <Answer>(work: () => Promise<Answer>, turn: Promise<void> | undefined): Promise<Answer> => {
    await turn
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return {
    enter: (work) => {
      if (inside < atATime) {
        inside += 1
        return run(work, undefined)
      }
      if (waiting.length >= inLine) return undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      return run(work, promise)
    },
  }
}
