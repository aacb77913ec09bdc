import type { Execute, StatementResult } from '#server/platform/database/kysely-driver.ts'

/** Pages in the WAL that aren't yet in the database file before they are copied. */
const MIN_PAGES = 1000

type Wal = { readonly log: number; readonly checkpointed: number }

type CheckpointDeps = {
  readonly readHere: (statement: string) => StatementResult | undefined
  readonly readInThread: Execute
}

/**
 * Copies pages from the WAL to the database file beside further commits, which would otherwise wait for it after every
 * few writes. Returns a function to be called after each commit.
 */
export function createCheckpoints({ readHere, readInThread }: CheckpointDeps): () => void {
  let isRunning = false

  function pagesToCopy(): number {
    // SQLite guarantees this format.
    const [wal] = (readHere('pragma wal_checkpoint(noop)')?.rows ?? []) as readonly Wal[]
    return wal ? wal.log - wal.checkpointed : 0
  }

  return () => {
    if (isRunning || pagesToCopy() < MIN_PAGES) return
    isRunning = true
    // After a failure, the next commit tries it again.
    void readInThread('pragma wal_checkpoint(passive)', [])
      .then(undefined, () => undefined)
      .finally(() => {
        isRunning = false
      })
  }
}
