import type { Execute } from '#server/platform/database/kysely-driver.ts'

/** Pages in the WAL that aren't yet in the database file before they are copied. */
const MIN_PAGES = 4000

/** Pages in the WAL before long writes wait. Below the number at which a commit would copy them itself. */
const MAX_PAGES = 24_000

type Wal = { readonly log: number; readonly checkpointed: number }

type CheckpointDeps = { readonly readBriefly: Execute; readonly readInThread: Execute }

export type Checkpoints = {
  /** Must be called after each commit. */
  readonly noteCommit: () => void
  /** Whether long writes must wait, which would outrun the copying and leave it to the commits of others. */
  readonly areBehind: () => boolean
  readonly catchUp: () => Promise<void>
}

/**
 * Copies pages from the WAL to the database file beside further commits, which would otherwise wait for it after every
 * few writes. SQLite starts the WAL over once all are copied.
 */
export function createCheckpoints({ readBriefly, readInThread }: CheckpointDeps): Checkpoints {
  let running: Promise<void> | undefined
  let pages = 0

  async function walAfter(execute: Execute, mode: 'noop' | 'passive'): Promise<Wal> {
    const { rows } = await execute(`pragma wal_checkpoint(${mode})`, [])
    // SQLite guarantees this format.
    const [wal] = rows as readonly Wal[]
    const { log, checkpointed } = wal ?? { log: 0, checkpointed: 0 }
    pages = log === checkpointed ? 0 : log
    return { log, checkpointed }
  }

  function copyPages(): Promise<void> {
    running ??= walAfter(readInThread, 'passive')
      .then(ignore, ignore)
      .finally(() => {
        running = undefined
      })
    return running
  }

  async function look(): Promise<void> {
    const { log, checkpointed } = await walAfter(readBriefly, 'noop')
    if (log - checkpointed >= MIN_PAGES) await copyPages()
  }

  return {
    noteCommit: () => {
      // The commit's requests are answered first. After a failure, the next commit tries it again.
      setImmediate(() => void look().catch(ignore))
    },
    areBehind: () => pages >= MAX_PAGES,
    catchUp: async () => {
      await running
      if (pages >= MAX_PAGES) await copyPages()
    },
  }
}

const ignore = (): void => undefined
