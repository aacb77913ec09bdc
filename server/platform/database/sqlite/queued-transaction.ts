import type { Transaction } from '#server/platform/database/database.ts'
import { createKysely, type StatementResult } from '#server/platform/database/kysely-driver.ts'
import { rowsAsObjects, toBindValue } from '#server/platform/database/sqlite/thread/row-objects.ts'
import type { Thread } from './thread/start-thread.ts'

export type QueuedEffects = {
  readonly actions: readonly (() => void)[]
  readonly atCommit: readonly CommitStatement[]
  readonly sent: SentStatements
}

type CommitStatement = { readonly statement: string; readonly ids: readonly string[] }

type SentStatements = { readonly answers: Promise<void>[]; failure?: { readonly error: unknown } }

export type QueuedTransaction = {
  readonly transaction: Transaction
  readonly did: QueuedEffects
  readonly isAtWork: () => boolean
  readonly end: (isKept: boolean) => void
}

export function openQueuedTransaction(thread: Thread, note: (statement: string) => void): QueuedTransaction {
  const actions: (() => void)[] = []
  const atCommit: CommitStatement[] = []
  const sent: SentStatements = { answers: [] }
  const state = { isOpen: true, hasBegun: false, underWay: 0 }

  /** Every statement of the job goes through here: none after its end, and the first one opens its savepoint. */
  async function pass<Answer>(send: (opensJob: boolean) => Promise<Answer>): Promise<Answer> {
    if (!state.isOpen) throw new Error('Statement after the end of the transaction. Await every statement.')
    const opensJob = !state.hasBegun
    state.hasBegun = true
    state.underWay += 1
    try {
      return await send(opensJob)
    } finally {
      state.underWay -= 1
    }
  }

  async function run(statement: string, parameters: readonly unknown[], isSent = false): Promise<StatementResult> {
    note(statement)
    const cells = parameters.map(toBindValue)
    const answer = await pass((opensJob) => thread.ask({ type: 'run', statement, parameters: cells, opensJob, isSent }))
    return { rows: rowsAsObjects(answer), affected: answer.affected }
  }

  const transaction: Transaction = {
    dialect: 'sqlite',
    db: createKysely('sqlite', run),
    send: ({ sql, parameters }, answered) => {
      const running = run(sql, parameters, true).then(
        ({ rows }) => answered?.(rows as never),
        (error: unknown) => {
          sent.failure ??= { error }
        },
      )
      sent.answers.push(running)
    },
    afterCommit: (action) => void actions.push(action),
    tellOthers: () => undefined,
    runForEach: async (statement, rows) => {
      note(statement)
      await pass((opensJob) => thread.ask({ type: 'run-for-each', statement, rows, opensJob }))
    },
    runForPacked: async (packedBatch) => {
      note(packedBatch.statement)
      const moved = [packedBatch.packed.buffer]
      await pass((opensJob) => thread.ask({ type: 'run-packed', batch: packedBatch, opensJob }, moved))
    },
    atCommit: (statement, ids) => void atCommit.push({ statement, ids }),
  }
  return {
    transaction,
    did: { actions, atCommit, sent },
    isAtWork: () => state.underWay > 0,
    end: (isKept) => {
      state.isOpen = false
      if (state.hasBegun) thread.tell({ type: 'end-job', isKept })
    },
  }
}
