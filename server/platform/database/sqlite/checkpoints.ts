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
  let running: Promise<Wal | undefined> | undefined
  let pages = 0

  async function walAfter(execute: Execute, mode: 'noop' | 'passive'): Promise<Wal> {
    const { rows } = await execute(`pragma wal_checkpoint(${mode})`, [])
    // SQLite guarantees this format.
    const [wal] = rows as readonly Wal[]
    const { log, checkpointed } = wal ?? { log: 0, checkpointed: 0 }
    pages = log === checkpointed ? 0 : log
    return { log, checkpointed }
  }

  function copyPages(): Promise<Wal | undefined> {
    running ??= walAfter(readInThread, 'passive')
      // The next commit tries it again.
      .then(undefined, () => undefined)
      .finally(() => {
        running = undefined
      })
    return running
  }

  /** Repeats it for pages written meanwhile, but not for those that a long read needs. */
  async function copyAll(): Promise<void> {
    const isDue = ({ log, checkpointed }: Wal): boolean => log - checkpointed >= MIN_PAGES
    let before = await walAfter(readBriefly, 'noop')
    while (isDue(before)) {
      const after = await copyPages()
      if (!after || after.checkpointed === before.checkpointed) return
      before = after
    }
  }

  return {
    noteCommit: () => {
      // The commit's requests are answered first.
      setImmediate(() => void copyAll().catch(ignore))
    },
    areBehind: () => pages >= MAX_PAGES,
    catchUp: async () => {
      await running
      if (pages >= MAX_PAGES) await copyPages()
    },
  }
}

const ignore = (): void => undefined
