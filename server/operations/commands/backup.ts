import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { Problem } from '#domain/shared/problem.ts'
import { recordBackup } from '#server/operations/backup/last-backup.ts'
import { backupName, backupsIn, deleteOldBackups } from '#server/operations/backup/backup-retention.ts'
import { type Manifest, readManifest } from '#server/operations/backup/manifest.ts'
import { takeBackup } from '#server/operations/backup/take-backup.ts'
import { verifyBackup } from '#server/operations/backup/backup-parts.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { stepsTo } from '#server/platform/database/migrations/migrate.ts'
import { DATABASE_FILE, openDatabase } from '#server/platform/database/open-database.ts'
import { describeStorageStartError } from '#server/platform/storage/open-storage.ts'
import { COMMAND_TIME_LIMITS, type Command, type StandaloneCommandDeps } from './command.ts'

const USAGE = '[<folder>] [--keep <number>] | --verify <backup>'

const optionsSchema = z.union([
  z.strictObject({ verify: z.string().min(1) }),
  z.strictObject({
    folder: z.string().min(1).optional(),
    keep: z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1)).optional(),
  }),
])

function parseCall(args: readonly string[]): z.infer<typeof optionsSchema> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { keep: { type: 'string' }, verify: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const [folder, ...more] = positionals
  const call = optionsSchema.safeParse({ ...values, ...(folder !== undefined && { folder }) })
  if (call.success && more.length === 0) return call.data
  throw new Problem('invalid-request', `Usage: npm run dossier -- backup ${USAGE}`)
}

export const backupCommand: Command = {
  name: 'backup',
  usage: USAGE,
  summary: 'write a full backup to a new folder while the server runs, or verify an existing one',
  runAlone: async (deps) => {
    const call = parseCall(deps.args)
    return 'verify' in call ? verify(deps, call.verify) : writeBackup(deps, call)
  },
}

async function verify({ say }: StandaloneCommandDeps, folder: string): Promise<number> {
  const manifest = await readManifest(folder)
  const findings = await verifyBackup(folder, manifest)
  findings.forEach(say)
  say(
    findings.length === 0
      ? `Backup verified: ${inWords(manifest)}.`
      : `${findings.length} problems found. Use another backup.`,
  )
  return findings.length === 0 ? 0 : 1
}

type WriteOptions = { readonly folder?: string | undefined; readonly keep?: number | undefined }

async function writeBackup(
  { config, clock, say }: StandaloneCommandDeps,
  { folder, keep }: WriteOptions,
): Promise<number> {
  const noStorage = await describeStorageStartError(config)
  if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
  const kept = folder === undefined ? backupsIn(config.dataFolder) : resolve(folder)
  const name = backupName('dossier', clock())
  const backup = join(kept, name)
  if (existsSync(backup)) throw new Problem('not-ready', `${backup} was created within the same second. Try again.`)
  const database = await openFull(config)
  try {
    const manifest = await takeBackup({ place: config, database, clock, say }, backup, 'inside')
    await recordBackup(database, { at: manifest.at, folder: backup })
    if (keep !== undefined) await deleteOldBackups(kept, { name, manifest }, { count: keep, now: clock() })
    say(`Backup written to ${backup}: ${inWords(manifest)}.`)
    return reportMissingFiles(manifest, say)
  } finally {
    await database.close()
  }
}

/** Opens the database without applying migrations. */
async function openFull(config: Config): Promise<Database> {
  const file = join(config.dataFolder, DATABASE_FILE)
  const isMissing = config.databaseUrl === undefined && !existsSync(file)
  if (isMissing) throw new Problem('not-found', `DOSSIER_DATA: nothing to back up, ${file} doesn't exist.`)
  const database = await openDatabase(config, { openedBy: 'command-line', limits: COMMAND_TIME_LIMITS })
  if ((await stepsTo(database)).taken > 0) return database
  await database.close()
  throw new Problem('not-found', 'DATABASE_URL: nothing to back up, the database is empty.')
}

function reportMissingFiles({ blobs }: Manifest, say: (line: string) => void): number {
  if (blobs.lost.length === 0) return 0
  say(`${blobs.lost.length} files were already missing or damaged. Run "npm run dossier -- doctor" to list them.`)
  return 1
}

function inWords({ at, rows, blobs }: Manifest): string {
  const count = Object.values(rows).reduce((sum, some) => sum + some, 0)
  const files = `${blobs.count.toLocaleString('en')} files${blobs.are === 'left' ? ', stored in S3 and not included' : ` with ${blobs.bytes.toLocaleString('en')} bytes`}`
  return `${count.toLocaleString('en')} rows as of ${at}, ${files}`
}
