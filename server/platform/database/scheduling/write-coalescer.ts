import type { Database, Transaction } from '#server/platform/database/database.ts'

/** Runs a small piece of work in a transaction that others may share; it must not throw because of what it finds. */
export type WriteCoalescer = <Answer>(work: (transaction: Transaction) => Promise<Answer>) => Promise<Answer>

/** So many pieces of work share one transaction at most. */
const MAX_COALESCED = 100

type PendingWrite = {
  readonly work: (transaction: Transaction) => Promise<unknown>
  readonly done: (answers: readonly unknown[], at: number) => void
  readonly failed: (error: unknown) => void
}

/**
 * One transaction at a time for many small writes to the same few rows: whoever comes while it is under way shares the
 * next one. On PostgreSQL they would only meet each other and begin anew; on both databases they share the wait for the
 * disk.
 */
export function createWriteCoalescer(database: Database): WriteCoalescer {
  let waiting: PendingWrite[] = []
  let isUnderWay = false

  async function runTogether(pieces: readonly PendingWrite[]): Promise<void> {
    try {
      const answers = await database.write(async (transaction) => {
        const all: unknown[] = []
        for (const { work } of pieces) all.push(await work(transaction))
        return all
      })
      pieces.forEach(({ done }, at) => done(answers, at))
    } catch (error) {
      for (const { failed } of pieces) failed(error)
    }
  }

  async function runAll(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) {
      const pieces = waiting.slice(0, MAX_COALESCED)
      waiting = waiting.slice(MAX_COALESCED)
      await runTogether(pieces)
    }
    isUnderWay = false
  }

  return <Answer>(work: (transaction: Transaction) => Promise<Answer>) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    // The answer at this place is that of this very work.
    waiting.push({ work, done: (answers, at) => resolve(answers[at] as Answer), failed: reject })
    if (!isUnderWay) void runAll()
    return promise
  }
}
