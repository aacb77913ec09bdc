import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest } from '#server/operations/backup/manifest.ts'
import { verifyBackup } from '#server/operations/backup/backup-parts.ts'
import { OWNER } from '#tests/support/server/test-workspace.ts'
import type { Place } from './places.ts'
import type { World } from './fixtures.ts'

/** A command, and the states that are allowed after a crash. */
export type Scenario = {
  readonly title: string
  readonly command: string
  readonly place: keyof Omit<World, 'backup'>
  /** The command's arguments; `folder` is an empty folder for this run. */
  readonly words: (world: World, place: Place, folder: string) => readonly string[] | Promise<readonly string[]>
  /**
   * `too`: also runs with files in S3, because the command reads or writes files; `only`: runs only with files in S3.
   */
  readonly files?: 'too' | 'only'
  /** Checks the output folder, whether or not the command was killed. */
  readonly examine?: (folder: string) => Promise<readonly string[]>
  /** Matches snapshot lines to ignore, because they don't show whether the command has completed. */
  readonly passing?: RegExp
  /** Expected output when the command is repeated although the killed run had already completed. */
  readonly refuses?: RegExp
}

const PASSWORD = ['--password', OWNER.password]

const asideIn = async ({ config }: Place): Promise<string> =>
  join(config.dataFolder, (await readdir(config.dataFolder)).find((name) => name.startsWith('replaced-')) ?? '')

/** Returns incomplete backups: every folder without the suffix `.unfinished` must be complete. */
async function brokenBackups(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.unfinished'))
  const findings = names.map(async (name) => {
    const backup = join(folder, name)
    return readManifest(backup).then(
      (manifest) => verifyBackup(backup, manifest),
      (error: unknown) => [String(error)],
    )
  })
  return (await Promise.all(findings)).flat()
}

/** Every command that changes data, with each of its options. */
export const SCENARIOS: readonly Scenario[] = [
  {
    title: 'restore into an empty folder',
    command: 'restore',
    place: 'empty',
    words: ({ backup }) => [backup],
    files: 'too',
    refuses: /a database already exists|isn't empty/,
  },
  {
    title: 'restore --replace over a later state of the workspace',
    command: 'restore',
    place: 'newer',
    words: ({ backup }) => [backup, '--replace'],
  },
  {
    title: 'restore --replace over another workspace',
    command: 'restore',
    place: 'other',
    words: ({ backup }) => [backup, '--replace'],
    files: 'too',
  },
  {
    title: 'restore --replace of what another restore replaced',
    command: 'restore',
    place: 'replaced',
    words: async (_, place) => [await asideIn(place), '--replace'],
    files: 'too',
    refuses: /has no schema/,
  },
  {
    title: 'backup --keep 1',
    command: 'backup',
    place: 'older',
    words: async ({ backup }, _, folder) => {
      const earlier = join(folder, 'dossier-2026-01-01T00-00-00Z')
      if ((await readdir(folder)).length === 0) await cp(backup, earlier, { recursive: true })
      return [folder, '--keep', '1']
    },
    examine: brokenBackups,
    refuses: /within the same second/,
    files: 'too',
    passing: /"last-backup"/,
  },
  {
    title: 'files:copy --to s3',
    command: 'files:copy',
    place: 'onDisk',
    words: () => ['--to', 's3'],
    files: 'only',
  },
  {
    title: 'files:copy --to disk',
    command: 'files:copy',
    place: 'older',
    words: () => ['--to', 'disk'],
    files: 'only',
  },
  { title: 'migrate', command: 'migrate', place: 'empty', words: () => [] },
  { title: 'keys:rotate', command: 'keys:rotate', place: 'older', words: () => [] },
  { title: 'keys:rotate --at-once', command: 'keys:rotate', place: 'older', words: () => ['--at-once'] },
  { title: 'keys:rotate --sign-out', command: 'keys:rotate', place: 'older', words: () => ['--sign-out'] },
  { title: 'keys:reset', command: 'keys:reset', place: 'keyless', words: () => [], refuses: /match the database/ },
  {
    title: 'owner:create of a new user',
    command: 'owner:create',
    place: 'older',
    words: () => ['new@example.org', ...PASSWORD],
  },
  {
    title: 'owner:create of an existing user',
    command: 'owner:create',
    place: 'older',
    words: () => ['older-1@example.org', ...PASSWORD],
  },
  {
    title: 'storage:adopt',
    command: 'storage:adopt',
    place: 'unowned',
    words: () => ['--confirm'],
    files: 'too',
    // The audit entry is written before the storage is adopted.
    passing: /"storage-adopted"/,
  },
]

/**
 * Commands that change nothing, or whose interruption has separate tests: resuming or undoing imports, and killing a
 * server while it deletes files.
 */
export const WITHOUT_SCENARIO: readonly string[] = ['doctor', 'export', 'import', 'storage:purge']
