import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#domain/shared/clock.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Config } from '#server/config.ts'
import { ALL_MIGRATIONS } from '#server/database/migrations/all-migrations.ts'
import { placeSnapshot } from '#server/database/snapshot.ts'
import { copyBlobs } from '#server/storage/copy-blobs.ts'
import { readIfThere } from '#server/storage/folders.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { blobsOf, forEachBlob } from './backup-parts.ts'
import { DATABASE_FOLDER, KEY_FILE, type Manifest } from './manifest.ts'
import { verifyParts } from './verify-backup.ts'

/** Where a backup goes, and whom it tells how far it is. */
export type RestoreNeeds = {
  readonly place: Pick<Config, 'dataFolder' | 'databaseUrl' | 's3'>
  readonly clock: Clock
  /** Whether the records that are there are put aside for it; else there must be none. */
  readonly replaces: boolean
  readonly say: (line: string) => void
}

/** Puts a backup into its place: files first, which harm nobody, then its secrets, and the records at once at the end. */
export async function restoreBackup(needs: RestoreNeeds, folder: string, manifest: Manifest): Promise<void> {
  refuseUnfit(needs, manifest)
  needs.say('The backup is compared with its hashes …')
  const findings = await verifyParts(folder, manifest)
  if (findings.length > 0) throw new Problem('not-ready', ['Nothing was changed.', ...findings].join('\n'))
  await mkdir(needs.place.dataFolder, { recursive: true })
  const secrets = await readIfThere(join(folder, KEY_FILE))
  if (secrets !== undefined) await refuseOtherSecrets(needs, secrets)
  await restoreBlobs(needs, folder, manifest)
  if (secrets !== undefined) await placeSecrets(needs.place.dataFolder, secrets)
  const at = needs.clock().toISOString()
  const rows = await placeSnapshot(needs.place, {
    folder: join(folder, DATABASE_FOLDER),
    finally: [endEverySession(at), ...leaveToNobody(manifest)],
    putAside: needs.replaces ? `replaced-${at.replaceAll(/[:.]/g, '-')}` : undefined,
    say: needs.say,
  })
  compareRows(manifest.rows, rows)
}

/**
 * What was signed in at the time of the backup may have been signed out since, and for a reason: everybody signs in anew.
 * The words are those that every form of the table has known.
 */
const endEverySession = (at: string): string =>
  `update sessions set ended_at = '${at}', end_reason = 'restored' where ended_at is null`

/** The step that made the table of jobs. */
const JOBS_SINCE = 11

/**
 * What was under way is nobody's work here: the program that was at it may live on, on this very machine, and is at the
 * original. So the next start undoes or continues it at once.
 */
function leaveToNobody({ dialect, migration }: Manifest): readonly string[] {
  const left =
    dialect === 'sqlite'
      ? `json_set(progress, '$.runner', json('null'))`
      : `jsonb_set(progress::jsonb, '{runner}', 'null')::text`
  const imports = `update imports set progress = ${left} where state in ('running', 'undoing')`
  return migration < JOBS_SINCE ? [imports] : [imports, 'update jobs set runner = null where runner is not null']
}

function refuseUnfit({ place }: RestoreNeeds, { dialect, migration, writtenBy }: Manifest): void {
  const known = ALL_MIGRATIONS.at(-1)?.number ?? 0
  if (migration > known) {
    throw new Problem(
      'not-ready',
      `This backup was written by a newer version of Dossier (${writtenBy}, whose tables are at step ${migration}; this version knows ${known}). Nothing was changed. Restore it with that version.`,
    )
  }
  if ((dialect === 'postgres') === (place.databaseUrl !== undefined)) return
  throw new Problem(
    'not-ready',
    dialect === 'postgres'
      ? 'This backup is of a PostgreSQL. Nothing was changed. Name an empty database in DATABASE_URL.'
      : 'This backup is of SQLite, and DATABASE_URL names a PostgreSQL. Nothing was changed. Take that setting away.',
  )
}

/** Secrets that are there may be more than those of the backup, as they are after a replacement, but no others. */
async function refuseOtherSecrets({ place }: RestoreNeeds, secrets: Buffer): Promise<void> {
  const file = join(place.dataFolder, KEY_FILE)
  const present = await readIfThere(file)
  if (present === undefined || coversSecrets(present, secrets)) return
  throw new Problem(
    'not-ready',
    `DOSSIER_DATA: ${file} holds secrets of another workspace. Nothing was changed. Choose an empty folder, or move that file away.`,
  )
}

function coversSecrets(present: Buffer, wanted: Buffer): boolean {
  const have = new Set(idsIn(present))
  return idsIn(wanted).every((id) => have.has(id))
}

const idsIn = (keys: Buffer): readonly string[] =>
  (JSON.parse(keys.toString('utf8')) as { keys: { id: string }[] }).keys.map(({ id }) => id)

async function placeSecrets(dataFolder: string, secrets: Buffer): Promise<void> {
  const file = join(dataFolder, KEY_FILE)
  if ((await readIfThere(file)) !== undefined) return
  const beside = `${file}.restoring`
  await writeFile(beside, secrets, { mode: 0o600, flush: true })
  await rename(beside, file)
}

/** How often it says how far it is, in blobs. */
const SAY_EVERY = 1000

async function restoreBlobs({ place, say }: RestoreNeeds, folder: string, { blobs }: Manifest): Promise<void> {
  const to = await openStorage(place, (error) => say(String(error)))
  if (blobs.are === 'inside') {
    const copying = { from: blobsOf(folder), to, folder: join(place.dataFolder, 'copying') }
    await copyBlobs(copying, ({ copied, there }) => {
      if ((copied + there) % SAY_EVERY === 0) say(`${copied + there} of ${blobs.count} files …`)
    })
  }
  let missing = 0
  await forEachBlob(folder, async (hash) => {
    if ((await to.open(hash)) === undefined) missing += 1
  })
  if (missing === blobs.lost.length) return
  say(`${missing} of ${blobs.count} files are not in the store; they were left there by the backup, or lost before it.`)
}

function compareRows(wanted: Manifest['rows'], found: Manifest['rows']): void {
  const wrong = Object.keys(wanted).filter((table) => wanted[table] !== found[table])
  if (wrong.length === 0) return
  throw new Error(`Not every row came back, although every part was whole. Tables: ${wrong.join(', ')}`)
}
