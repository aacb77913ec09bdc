import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '#domain/shared/problem.ts'
import { ALL_MIGRATIONS } from '#server/platform/database/migrations/migrate.ts'
import { DATABASE_FILE } from '#server/platform/database/open-database.ts'
import { switchPostgresSchema } from '#server/platform/database/snapshots/snapshot.ts'
import type { SnapshotFacts } from '#server/platform/database/snapshots/snapshot-types.ts'
import {
  assertNotInUse,
  databaseFilesIn,
  lockDataFolder,
  prepareSqliteSnapshot,
} from '#server/platform/database/sqlite/sqlite-snapshot.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { makeFolder } from '#server/platform/storage/disk/file-system.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { CHANGE_LOG_ID } from '#server/records/changes/change-log.ts'
import { DATABASE_FOLDER, type Manifest, readManifest } from '#server/operations/backup/manifest.ts'
import {
  type KeysPlan,
  planKeys,
  prepareFiles,
  prepareReplacedFolder,
  readReplacedData,
  type ReplacedData,
  replacedMoves,
  restoredMoves,
} from './prepare-restore.ts'
import {
  PREPARED_FOLDER,
  type RestoreDeps,
  type RestoreJournal,
  finishRestore,
  recoverRestoreLocked,
  writeJournal,
} from './restore-journal.ts'
import { blobsOf, forEachBlob, verifyParts } from '#server/operations/backup/backup-parts.ts'
import { copyBlobs } from '#server/platform/storage/copy-blobs.ts'

/** A backup, or data replaced by an earlier restore. */
export type RestoreSource = {
  readonly folder: string
  readonly at: string
  readonly manifest?: Manifest
  readonly aside?: ReplacedData
}

export async function readSource(folder: string): Promise<RestoreSource> {
  const aside = await readReplacedData(folder)
  if (aside !== undefined) return { folder, at: aside.at, aside }
  const manifest = await readManifest(folder)
  return { folder, at: manifest.at, manifest }
}

/**
 * Restores a source and returns information about its database. Everything is prepared first; a single step then
 * switches the database, keys and unfinished uploads. The next start completes an interrupted switch.
 */
export async function restoreBackup(deps: RestoreDeps, source: RestoreSource): Promise<SnapshotFacts> {
  const { place, say } = deps
  assertSameDialect(deps, source)
  if (source.manifest !== undefined) {
    assertKnownVersion(source.manifest)
    say('Verifying the backup …')
    const findings = await verifyParts(source.folder, source.manifest)
    if (findings.length > 0) throw new Problem('not-ready', ['Nothing was changed.', ...findings].join('\n'))
  }
  await makeFolder(place.dataFolder)
  const lock = lockDataFolder(place.dataFolder)
  try {
    await recoverRestoreLocked(place, say)
    return await prepareAndSwitch(deps, source).then(undefined, async (error: unknown) => {
      await recoverRestoreLocked(place, say).then(undefined, (unsettled: unknown) => say(String(unsettled)))
      throw error
    })
  } finally {
    lock.free()
  }
}

async function prepareAndSwitch(deps: RestoreDeps, source: RestoreSource): Promise<SnapshotFacts> {
  const { place, say } = deps
  const prepared = join(place.dataFolder, PREPARED_FOLDER)
  const storage = await openStorage(place, (error) => say(String(error)))
  const plan = await planRestore(deps, source, storage)
  const { putAside, keys } = plan
  await mkdir(prepared, { mode: 0o700 })
  if (place.databaseUrl === undefined) assertNotInUse(place.dataFolder)
  if (putAside !== undefined) await prepareReplacedFolder(deps, { ...plan, name: putAside }, storage)
  await restoreBlobs(deps, source, storage)
  await prepareFiles(prepared, source, keys)
  const facts = await commitRestore(deps, source, plan)
  if (putAside === undefined) return facts
  const folder = join(place.dataFolder, putAside)
  say(`The previous data is in ${folder}. To restore it, run: npm run dossier -- restore ${folder} --replace`)
  return facts
}

type RestorePlan = {
  readonly at: string
  /** The workspace ID used in storage for the restored database. */
  readonly workspace: string
  /** Undefined if nothing is replaced. */
  readonly putAside: string | undefined
  readonly keys: KeysPlan
}

const workspaceOf = ({ manifest, aside }: RestoreSource): string =>
  manifest?.workspace ?? aside?.workspace ?? randomUUID()

async function planRestore(deps: RestoreDeps, source: RestoreSource, storage: BlobStorage): Promise<RestorePlan> {
  const { dataFolder, databaseUrl } = deps.place
  const present = databaseUrl === undefined ? databaseFilesIn(dataFolder) : []
  if (!deps.replaces && present.length > 0) throw databaseExists(join(dataFolder, present[0] ?? DATABASE_FILE))
  const keys = await planKeys(deps, source.folder)
  const workspace = workspaceOf(source)
  await assertSameStorage(deps, storage, workspace)
  const at = deps.clock().toISOString()
  const hasAside = deps.replaces && (databaseUrl !== undefined || present.length > 0 || keys.isSwitched)
  return { at, workspace, keys, putAside: hasAside ? `replaced-${at.replaceAll(/[:.]/g, '-')}` : undefined }
}

/** Writes the journal to disk before switching anything; on PostgreSQL, before the commit. */
async function commitRestore(
  { place, say }: RestoreDeps,
  source: RestoreSource,
  { at, workspace, putAside, keys }: RestorePlan,
): Promise<SnapshotFacts> {
  const { dataFolder, databaseUrl } = place
  const [prepared, folder] = [join(dataFolder, PREPARED_FOLDER), join(source.folder, DATABASE_FOLDER)]
  const common = { say, finally: (facts: SnapshotFacts) => lastStatements(source, facts, { at, workspace }) }
  const write = async (more: Pick<RestoreJournal, 'transaction'>): Promise<RestoreJournal> => {
    const aside = putAside === undefined ? [] : await replacedMoves(dataFolder, putAside, keys)
    const journal = { at: source.at, workspace, putAside, aside, place: await restoredMoves(prepared), ...more }
    await writeJournal(place, journal)
    return journal
  }
  if (databaseUrl === undefined) {
    const facts = await prepareSqliteSnapshot({ ...common, folder, into: prepared })
    assertNotInUse(dataFolder)
    await finishRestore(place, await write({}))
    return facts
  }
  let journal: RestoreJournal | undefined
  const facts = await switchPostgresSchema(databaseUrl.reveal(), {
    ...common,
    putAside,
    from: source.aside?.schema === undefined ? { folder } : { schema: source.aside.schema },
    beforeCommit: async (transaction) => {
      journal = await write({ transaction })
    },
  })
  if (journal !== undefined) await finishRestore(place, journal)
  return facts
}

/** SQL statements that run on the restored database before the switch. */
function lastStatements(
  { manifest }: RestoreSource,
  facts: SnapshotFacts,
  { at, workspace }: Pick<RestorePlan, 'at' | 'workspace'>,
): readonly string[] {
  if (manifest === undefined) assertKnownVersion(facts)
  else compareRows(manifest.rows, facts.rows)
  return [
    endAllSessionsSql(at),
    setWorkspaceValueSql('workspace-id', workspace),
    setWorkspaceValueSql(CHANGE_LOG_ID, randomUUID()),
    ...releaseRunningWork(facts),
    RESTART_QUARANTINE,
  ]
}

/** Without --replace, rejects storage that contains another workspace's files. Never deletes files. */
async function assertSameStorage(
  { replaces }: Pick<RestoreDeps, 'replaces'>,
  { identity }: BlobStorage,
  workspace: string,
): Promise<void> {
  const owner = await identity.read()
  if (replaces || owner === undefined || owner === workspace) return
  throw new Problem(
    'not-ready',
    `The configured file storage belongs to workspace ${owner}, but the backup is from another one. Nothing was changed. Choose an empty folder, bucket or S3_PREFIX, or add --replace to keep the existing files along with those of the backup.`,
  )
}

/** Older backups don't contain these IDs. */
const setWorkspaceValueSql = (name: string, id: string): string =>
  `insert into workspace (name, value) values ('${name}', '${id}') on conflict (name) do update set value = excluded.value`

/**
 * Ends all sessions, because they may have been revoked since the backup. Uses only columns that exist in every
 * version.
 */
const endAllSessionsSql = (at: string): string =>
  `update sessions set ended_at = '${at}', end_reason = 'restored' where ended_at is null`

/**
 * Releases running jobs, because the process that runs them may still be using the original database. The next start
 * resumes them.
 */
function releaseRunningWork({ dialect }: SnapshotFacts): readonly string[] {
  const left =
    dialect === 'sqlite'
      ? `json_set(progress, '$.runner', json('null'))`
      : `jsonb_set(progress::jsonb, '{runner}', 'null')::text`
  return [
    `update imports set progress = ${left} where state in ('running', 'undoing')`,
    'update jobs set runner = null where runner is not null',
  ]
}

/** Restarts all quarantines, because the replaced database may have used the files since the backup. */
const RESTART_QUARANTINE =
  'update blobs set quarantined_at = null, quarantine_day = null, going_at = null where quarantined_at is not null'

function assertKnownVersion({ migration }: Pick<SnapshotFacts, 'migration'>): void {
  const known = ALL_MIGRATIONS.at(-1)?.number ?? 0
  if (migration <= known) return
  throw new Problem(
    'not-ready',
    `This backup was written by a newer version of Dossier (schema version ${migration}; this version supports ${known}). Nothing was changed. Restore it with that version.`,
  )
}

function assertSameDialect({ place }: RestoreDeps, { manifest, aside }: RestoreSource): void {
  const dialect = manifest?.dialect ?? aside?.dialect
  if ((dialect === 'postgres') === (place.databaseUrl !== undefined)) return
  throw new Problem(
    'not-ready',
    dialect === 'postgres'
      ? 'This is a PostgreSQL backup. Nothing was changed. Set DATABASE_URL to an empty database.'
      : 'This is a SQLite backup, but DATABASE_URL is set to a PostgreSQL database. Nothing was changed. Unset DATABASE_URL.',
  )
}

const databaseExists = (file: string): Problem =>
  new Problem(
    'not-ready',
    `DOSSIER_DATA: a database already exists, ${file}. Nothing was changed. Choose an empty folder, or add --replace to move the existing data aside.`,
  )

function compareRows(wanted: Manifest['rows'], found: SnapshotFacts['rows']): void {
  const wrong = Object.keys(wanted).filter((table) => wanted[table] !== found[table])
  if (wrong.length === 0) return
  throw new Error(`Restored row counts don't match the backup. Tables: ${wrong.join(', ')}`)
}

/** Number of blobs between progress lines. */
const PROGRESS_INTERVAL = 1000

/** Copies files to storage without overwriting existing files; reports files that are still missing. */
async function restoreBlobs(
  { place, say }: RestoreDeps,
  { folder, manifest }: { readonly folder: string; readonly manifest?: Manifest },
  to: BlobStorage,
): Promise<void> {
  if (manifest?.blobs.are === 'inside') {
    const copying = { from: blobsOf(folder), to, folder: join(place.dataFolder, 'copying') }
    await copyBlobs(copying, ({ copied, there }) => {
      if ((copied + there) % PROGRESS_INTERVAL === 0) say(`${copied + there} of ${manifest.blobs.count} files …`)
    })
  }
  let [count, missing] = [0, 0]
  await forEachBlob(folder, async (hash) => {
    count += 1
    if ((await to.open(hash)) === undefined) missing += 1
  })
  if (missing === (manifest?.blobs.lost.length ?? 0)) return
  say(
    `${missing} of ${count} files are missing from the S3 store: the backup doesn't include them, or they were already lost.`,
  )
}
