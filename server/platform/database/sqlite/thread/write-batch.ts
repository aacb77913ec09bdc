import type { Database } from 'better-sqlite3'
import type { StatementCache } from './statement-cache.ts'
import type { LastStatement } from './thread-messages.ts'

/**
 * The transaction of the writer: opened by the first write of a batch, each write in a savepoint of its own, closed by
 * one commit. It sees to it that no statement of a write can ever run outside of it, whatever failed before.
 */
export type WriteBatch = {
  /** To be called before each statement of a write; the first one opens its savepoint. */
  readonly stepIn: (opensJob: boolean) => void
  /** To be told when a statement failed that nobody waits for: its write is not kept, come what may. */
  readonly failJob: () => void
  /** Ends the savepoint of a write: what it did joins the batch, or never happened. */
  readonly endJob: (isKept: boolean) => void
  readonly commit: (last: readonly LastStatement[]) => void
  /** To be told of every failure: after some (disk full, I/O error) SQLite has thrown the whole batch away. */
  readonly noteFailure: (error: unknown) => void
}

/** The batch of one connection; none is open. */
export function createWriteBatch(db: Database, statements: StatementCache): WriteBatch {
  let isOpen = false
  let hasJobFailed = false
  let lostBecause: { readonly error: unknown } | undefined
  const control = (statement: string): void => void statements.find(statement).statement.run()

  function refuseWhenLost(): void {
    if (lostBecause !== undefined) throw lostBecause.error
  }

  return {
    stepIn: (opensJob) => {
      refuseWhenLost()
      if (!opensJob && !isOpen) throw new Error('The transaction could not be started.')
      if (!opensJob) return
      hasJobFailed = false
      if (!isOpen) control('begin immediate')
      isOpen = true
      control('savepoint job')
    },
    failJob: () => {
      hasJobFailed = true
    },
    endJob: (isKept) => {
      if (lostBecause !== undefined || !isOpen) return
      if (!isKept || hasJobFailed) control('rollback to job')
      control('release job')
    },
    commit: (last) => {
      isOpen = false
      try {
        refuseWhenLost()
        for (const { statement, ids } of last) statements.find(statement).statement.run(ids)
        if (db.inTransaction) control('commit')
      } finally {
        lostBecause = undefined
        if (db.inTransaction) control('rollback')
      }
    },
    noteFailure: (error) => {
      if (isOpen && !db.inTransaction) lostBecause ??= { error }
    },
  }
}
