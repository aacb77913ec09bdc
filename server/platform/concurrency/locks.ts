export type Semaphore = {
  /** Runs `work` when a slot is free. */
  readonly run: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
  /** Like `run`, but returns undefined immediately if the queue is full. */
  readonly enter: <Answer>(work: () => Promise<Answer>) => Promise<Answer> | undefined
}

export function createSemaphore(slots: number, maxQueued = Number.POSITIVE_INFINITY): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  async function run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (running < slots) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
  return { run, enter: (work) => (running >= slots && waiting.length >= maxQueued ? undefined : run(work)) }
}

export type LockHandle = {
  /** Whether another request is waiting, so that an idle sender can be dropped sooner. */
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
