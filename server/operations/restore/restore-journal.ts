import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '#domain/shared/time.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Config } from '#server/platform/config/config.ts'
import { isSwitched } from '#server/platform/database/snapshots/snapshot.ts'
import { lockDataFolder } from '#server/platform/database/sqlite/sqlite-snapshot.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import {
  makeFolder,
  readIfThere,
  removeIfThere,
  statIfThere,
  syncFolder,
} from '#server/platform/storage/disk/file-system.ts'

export const PREPARED_FOLDER = 'restoring'

/** Once this file is on disk (and its transaction is committed), the restore is always completed, never rolled back. */
const JOURNAL_FILE = 'restore-journal.json'

const move = z.object({ from: z.string(), to: z.string() })

const restoreJournal = z.object({
  format: z.literal(1),
  /** Timestamp of the backup or replaced data being restored. */
  at: z.string(),
  /** The workspace ID recorded in storage after the restore. */
  workspace: z.uuid(),
  /** Undefined if nothing was replaced. */
  putAside: z.string().optional(),
  /** PostgreSQL only: the transaction that switches the tables and determines the outcome. */
  transaction: z.object({ id: z.string(), database: z.string() }).optional(),
  /**
   * File moves in execution order: first replaced files, then restored files. Paths are relative to the data folder.
   */
  aside: z.array(move),
  place: z.array(move),
})

export type RestoreJournal = Omit<z.infer<typeof restoreJournal>, 'format'>

export type RestoreTarget = Pick<Config, 'dataFolder' | 'databaseUrl' | 's3'>

export type RestoreDeps = {
  readonly place: RestoreTarget
  readonly clock: Clock
  /** Whether to move existing data aside; otherwise, the target must be empty. */
  readonly replaces: boolean
  readonly say: (line: string) => void
}

/** Renaming the journal commits a restore that has no transaction. */
export async function writeJournal({ dataFolder }: RestoreTarget, journal: RestoreJournal): Promise<void> {
  const file = join(dataFolder, JOURNAL_FILE)
  const draft = join(dataFolder, PREPARED_FOLDER, JOURNAL_FILE)
  await writeFile(draft, JSON.stringify({ format: 1, ...journal }, null, 1), { mode: 0o600, flush: true })
  await syncFolder(dirname(draft))
  await rename(draft, file)
  await syncFolder(dataFolder)
}

/** Each step is idempotent, so that it can be repeated after an interruption. */
export async function finishRestore(to: RestoreTarget, { workspace, aside, place }: RestoreJournal): Promise<void> {
  const { dataFolder } = to
  const inside = (path: string): string => join(dataFolder, path)
  const isThere = async (path: string): Promise<boolean> => (await statIfThere(inside(path))) !== undefined
  for (const { from, to } of aside) {
    if ((await isThere(to)) || !(await isThere(from))) continue
    await makeFolder(dirname(inside(to)))
    await rename(inside(from), inside(to))
  }
  await syncAll(dataFolder, aside)
  for (const { from, to } of place) {
    if (!(await isThere(from))) continue
    if (await isThere(to)) throw targetExists(inside(to))
    await rename(inside(from), inside(to))
  }
  await syncAll(dataFolder, place)
  const storage = await openStorage(to, () => undefined)
  await storage.identity.replace(workspace)
  await rm(inside(PREPARED_FOLDER), { recursive: true, force: true })
  await removeIfThere(inside(JOURNAL_FILE))
  await syncFolder(dataFolder)
}

async function syncAll(dataFolder: string, moves: RestoreJournal['aside']): Promise<void> {
  const folders = new Set([dataFolder, ...moves.map(({ to }) => dirname(join(dataFolder, to)))])
  for (const folder of folders) {
    if ((await statIfThere(folder)) !== undefined) await syncFolder(folder)
  }
}

const targetExists = (path: string): Problem =>
  new Problem(
    'not-ready',
    `A restore was interrupted, and ${path} was created since then. Nothing was overwritten. Move it to another folder, then try again.`,
  )

async function undoRestore({ dataFolder }: RestoreTarget): Promise<void> {
  await removeIfThere(join(dataFolder, JOURNAL_FILE))
  await syncFolder(dataFolder)
  await rm(join(dataFolder, PREPARED_FOLDER), { recursive: true, force: true })
}

/**
 * Completes or rolls back an interrupted restore. Must run before anything in the data folder or the database is
 * opened.
 */
export async function recoverRestore(place: RestoreTarget, say: (line: string) => void): Promise<void> {
  if (!(await isInterrupted(place))) return
  const lock = lockDataFolder(place.dataFolder)
  try {
    await recoverRestoreLocked(place, say)
  } finally {
    lock.free()
  }
}

async function isInterrupted({ dataFolder }: RestoreTarget): Promise<boolean> {
  const found = await Promise.all([JOURNAL_FILE, PREPARED_FOLDER].map((name) => statIfThere(join(dataFolder, name))))
  return found.some((file) => file !== undefined)
}

/** For a process that already holds the data folder lock. */
export async function recoverRestoreLocked(place: RestoreTarget, say: (line: string) => void): Promise<void> {
  if (!(await isInterrupted(place))) return
  const journal = await readJournal(place)
  if (journal === undefined || !(await isCommitted(place, journal))) {
    await undoRestore(place)
    say('An interrupted restore was rolled back. Your data is unchanged.')
    return
  }
  await finishRestore(place, journal)
  const aside =
    journal.putAside === undefined ? '' : ` The previous data is in ${join(place.dataFolder, journal.putAside)}.`
  say(`An interrupted restore was completed. Your data is from ${journal.at}.${aside}`)
}

async function readJournal({ dataFolder }: RestoreTarget): Promise<RestoreJournal | undefined> {
  const file = join(dataFolder, JOURNAL_FILE)
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  const read = restoreJournal.safeParse(JSON.parse(text.toString('utf8')))
  if (read.success) return read.data
  throw new Problem(
    'not-ready',
    `${file} was written by a newer version of Dossier whose restore was interrupted. Nothing was changed. Start that version.`,
  )
}

async function isCommitted(place: RestoreTarget, { transaction }: RestoreJournal): Promise<boolean> {
  if (transaction === undefined) return true
  return isSwitched(place, transaction)
}
