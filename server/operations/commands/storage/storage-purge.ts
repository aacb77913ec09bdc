import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Problem } from '#domain/shared/problem.ts'
import { openThumbnails } from '#server/files/images/thumbnails.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { openDiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import { openStorage, describeStorageStartError } from '#server/platform/storage/open-storage.ts'
import { isOwnStorage } from '#server/files/ownership/claim-storage.ts'
import { blobCounts, removeAllExpiredBlobs } from '#server/files/blobs/remove-blobs.ts'
import { createKeyedMutex } from '#server/platform/concurrency/keyed-mutex.ts'
import type { Config } from '#server/config.ts'
import type { Command, CommandDeps } from '#server/operations/commands/command.ts'

const USAGE = '[--confirm <number of files>]'

/** The number of files the user confirmed; undefined to count only. */
function countIn(args: readonly string[]): number | undefined {
  const options = { confirm: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false })
  if (positionals.length === 0 && Object.keys(values).length === 0) return undefined
  const count = values['confirm']
  if (positionals.length === 0 && Object.keys(values).length === 1 && typeof count === 'string' && /^\d+$/.test(count))
    return Number(count)
  throw new Problem('invalid-request', `Usage: npm run dossier -- storage:purge ${USAGE}`)
}

type Needs = Pick<CommandDeps, 'args' | 'clock' | 'database' | 'newId' | 'say'> & {
  readonly config: Pick<Config, 'databaseUrl' | 'dataFolder' | 's3'>
}

/** Deletes files whose quarantine is over when there are too many for the cleanup to delete by itself. */
export async function purgeStorage(needs: Needs): Promise<number> {
  const { args, config, database, clock, say } = needs
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
  // Logged before the first deletion, so that none is unlogged.
  await database.write(({ db }) =>
    writeAudit(db, needs, { kind: 'storage-purged', userId: null, address: '', details }),
  )
  const pictures = openThumbnails(blobs, openDiskCache(join(config.dataFolder, 'pictures')))
  const ground = { blobs, blobTurns: createKeyedMutex(), clock, database, pictures, log: openLog('warn') }
  const removed = await removeAllExpiredBlobs(ground)
  say(`Deleted ${removed.count} files (${removed.bytes} bytes).`)
  return 0
}

export const storagePurgeCommand: Command = {
  name: 'storage:purge',
  usage: USAGE,
  summary: 'delete files whose quarantine has ended, even if there are many; without --confirm only counts them',
  run: purgeStorage,
}
