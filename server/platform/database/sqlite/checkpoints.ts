import type { Execute } from '#server/platform/database/kysely-driver.ts'

/** Pages in the WAL that aren't yet in the database file before they are copied. */
const MIN_PAGES = 4000

type Wal = { readonly log: number; readonly checkpointed: number }

type CheckpointDeps = { readonly readBriefly: Execute; readonly readInThread: Execute }

/**
 * Copies pages from the WAL to the database file beside further commits, which would otherwise wait for it after every
 * few writes. Returns a function to be called after each commit.
 */
export function createCheckpoints({ readBriefly, readInThread }: CheckpointDeps): () => void {
  let isRunning = false

  async function copyPages(): Promise<void> {
    const { rows } = await readBriefly('pragma wal_checkpoint(noop)', [])
    // SQLite guarantees this format.
    const [wal] = rows as readonly Wal[]
    if (wal && wal.log - wal.checkpointed >= MIN_PAGES) await readInThread('pragma wal_checkpoint(passive)', [])
  }

  return () => {
    if (isRunning) return
    isRunning = true
    // The commit's requests are answered first.
    setImmediate(() => {
      void copyPages()
        // After a failure, the next commit tries it again.
        .then(undefined, () => undefined)
        .finally(() => {
          isRunning = false
        })
    })
  }
}
