import type { Database, Transaction } from '#server/platform/database/database.ts'

export type WriteCoalescer = <Answer>(work: (transaction: Transaction) => Promise<Answer>) => Promise<Answer>

const MAX_COALESCED = 100

type PendingWrite = {
  readonly work: (transaction: Transaction) => Promise<unknown>
  readonly done: (answers: readonly unknown[], at: number) => void
  readonly failed: (error: unknown) => void
}

/**
 * Coalesces small writes to the same few rows: calls during a transaction are combined in the next transaction, so that
 * they share an fsync and, on PostgreSQL, don't conflict and retry.
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
    waiting.push({ work, done: (answers, at) => resolve(answers[at] as Answer), failed: reject })
    if (!isUnderWay) void runAll()
    return promise
  }
}
