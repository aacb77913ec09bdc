import { parseArgs } from 'node:util'
import { Problem } from '#domain/shared/problem.ts'
import { describeStorageStartError, openStorage } from '#server/platform/storage/open-storage.ts'
import { adoptStorage, claimCopy, isOwnStorage } from '#server/files/ownership/claim-storage.ts'
import type { Command, CommandDeps } from '#server/operations/commands/command.ts'
import { join } from 'node:path'
import { openThumbnails } from '#server/files/images/thumbnails.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { openDiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import { blobCounts, removeAllExpiredBlobs } from '#server/files/blobs/remove-blobs.ts'
import { createKeyedMutex } from '#server/platform/concurrency/locks.ts'
import type { Config } from '#server/platform/config/config.ts'
import { copyBlobs } from '#server/platform/storage/copy-blobs.ts'

const ADOPT_USAGE = '--confirm'

function isConfirmed(args: readonly string[]): boolean {
  const options = { confirm: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false })
  return values['confirm'] === true && positionals.length === 0 && Object.keys(values).length === 1
}

/** Assigns the configured file storage to this database if the server refuses to start because of its files. */
export const storageAdoptCommand: Command = {
  name: 'storage:adopt',
  usage: ADOPT_USAGE,
  summary: 'assign the configured file storage to this database; deletes nothing',
  run: async (deps) => {
    const { args, config, say } = deps
    const noStorage = await describeStorageStartError(config)
    if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
    const blobs = await openStorage(config, (error) => say(String(error)))
    if (!isConfirmed(args)) {
      const owner = await blobs.identity.read()
      throw new Problem(
        'invalid-request',
        `The storage belongs to ${owner === undefined ? 'no workspace yet' : `workspace ${owner}`}. After this, servers with another database that use it will refuse to start. No files are deleted. To continue, run: npm run dossier -- storage:adopt ${ADOPT_USAGE}`,
      )
    }
    const { before, id } = await adoptStorage({ ...deps, blobs })
    say(`The storage now belongs to workspace ${id}${before === undefined ? '' : `; it belonged to ${before}`}.`)
    say('No files were deleted. Run "npm run dossier -- doctor" to list files unknown to the database.')
    return 0
  },
}

const PURGE_USAGE = '[--confirm <number of files>]'

/** The number of files that the user confirmed; undefined to only count them. */
function countIn(args: readonly string[]): number | undefined {
  const options = { confirm: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false })
  if (positionals.length === 0 && Object.keys(values).length === 0) return undefined
  const count = values['confirm']
  if (positionals.length === 0 && Object.keys(values).length === 1 && typeof count === 'string' && /^\d+$/.test(count))
    return Number(count)
  throw new Problem('invalid-request', `Usage: npm run dossier -- storage:purge ${PURGE_USAGE}`)
}

type Deps = Pick<CommandDeps, 'args' | 'clock' | 'database' | 'newId' | 'say'> & {
  readonly config: Pick<Config, 'databaseUrl' | 'dataFolder' | 's3'>
}

/** Deletes files whose quarantine has ended if there are too many for the automatic cleanup. */
export async function purgeStorage(deps: Deps): Promise<number> {
  const { args, config, database, clock, say } = deps
  const wanted = countIn(args)
  const noStorage = await describeStorageStartError(config)
  if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
  const blobs = await openStorage(config, (error) => say(String(error)))
  if (!(await isOwnStorage({ database, blobs }))) {
    throw new Problem('not-ready', 'The storage does not belong to this database. Nothing was deleted.')
  }
  const { due, dueBytes, known, quarantined } = await blobCounts({ clock, database })
  say(`${known} known files, ${quarantined} in quarantine, ${due} (${dueBytes} bytes) ready to be deleted.`)
  if (wanted === undefined) return 0
  if (wanted !== due)
    throw new Problem('invalid-request', `${due} files are ready to be deleted, not ${wanted}. Nothing was deleted.`)
  if (due === 0) return 0
  const details = { files: String(due) }
  // Written before the first deletion, so that every deletion is audited.
  await database.write(({ db }) => writeAudit(db, deps, { kind: 'storage-purged', userId: null, address: '', details }))
  const pictures = openThumbnails(blobs, openDiskCache(join(config.dataFolder, 'pictures')))
  const context = { blobs, blobTurns: createKeyedMutex(), clock, database, pictures, log: openLog('warn') }
  const removed = await removeAllExpiredBlobs(context)
  say(`Deleted ${removed.count} files (${removed.bytes} bytes).`)
  return 0
}

export const storagePurgeCommand: Command = {
  name: 'storage:purge',
  usage: PURGE_USAGE,
  summary: 'delete files whose quarantine has ended, even if there are many; without --confirm, only count them',
  run: purgeStorage,
}

const COPY_USAGE = '--to s3|disk'

function targetIn(args: readonly string[]): 's3' | 'disk' {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { to: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const isSure = positionals.length === 0 && Object.keys(values).length === 1
  if (isSure && (values['to'] === 's3' || values['to'] === 'disk')) return values['to']
  throw new Problem('invalid-request', `Usage: npm run dossier -- files:copy ${COPY_USAGE}`)
}

/** Number of blobs between progress lines. */
const PROGRESS_INTERVAL = 1000

export const filesCopyCommand: Command = {
  name: 'files:copy',
  usage: COPY_USAGE,
  summary: 'copy files from disk to the configured S3 store, or back; existing files are skipped',
  run: async ({ args, config, database, say }) => {
    const target = targetIn(args)
    if (config.s3 === undefined) {
      throw new Problem('invalid-request', 'Set S3_ENDPOINT and the other S3 settings first.')
    }
    const noStorage = await describeStorageStartError(config)
    if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
    const report = (error: unknown): void => say(String(error))
    const disk = await openStorage({ ...config, s3: undefined }, report)
    const store = await openStorage(config, report)
    const [from, to] = target === 's3' ? [disk, store] : [store, disk]
    const other = await claimCopy({ database, blobs: to })
    if (other !== undefined) {
      throw new Problem(
        'not-ready',
        `The target storage belongs to another workspace, ${other}. Nothing was copied. Choose another folder, bucket or S3_PREFIX.`,
      )
    }
    const folder = join(config.dataFolder, 'copying')
    const done = await copyBlobs({ from, to, folder }, ({ copied, there }) => {
      if ((copied + there) % PROGRESS_INTERVAL === 0) say(`${copied} copied, ${there} skipped …`)
    })
    say(`Copied ${done.copied} files (${done.bytes} bytes), skipped ${done.there} existing files. Nothing was deleted.`)
    return 0
  },
}
