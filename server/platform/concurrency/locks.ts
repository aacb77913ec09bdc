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

export type LockHandle = {
  /** Whether another request waits: a reason not to wait long for an idle sender. */
  readonly isWanted: () => boolean
}

export type KeyedMutex = {
  readonly take: <Answer>(name: string, work: (turn: LockHandle) => Promise<Answer>) => Promise<Answer>
}

export function createKeyedMutex(): KeyedMutex {
  const lines = new Map<string, { last: Promise<unknown>; count: number }>()

  return {
    take: async (name, work) => {
      const line = lines.get(name) ?? { last: Promise.resolve(), count: 0 }
      lines.set(name, line)
      line.count += 1
      const before = line.last
      const { promise, resolve } = Promise.withResolvers<void>()
      line.last = promise
      await before
      try {
        return await work({ isWanted: () => line.count > 1 })
      } finally {
        line.count -= 1
        if (line.count === 0) lines.delete(name)
        resolve()
      }
    },
  }
}
