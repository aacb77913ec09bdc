import { join } from 'node:path'
import { Problem } from '#domain/shared/problem.ts'
import type { Config } from '#server/platform/config/config.ts'
import { migrate, stepsTo } from '#server/platform/database/migrations/migrate.ts'
import type { Migration } from '#server/platform/database/migrations/migration.ts'
import { backupName, backupsIn, deleteOldBackups } from './backup-retention.ts'
import { type BackupDeps, takeBackup } from './take-backup.ts'

export type UpgradeDeps = Omit<BackupDeps, 'place'> & {
  readonly config: Pick<Config, 'dataFolder' | 'databaseUrl' | 's3' | 'backsUpBeforeUpgrade'>
  readonly migrations?: readonly Migration[]
}

const KEPT_BACKUPS = 3

/** Creates a backup, applies migrations and returns their names. A failed migration changes nothing. */
export async function upgrade({ config, migrations, ...deps }: UpgradeDeps): Promise<string[]> {
  const { database, clock, say } = deps
  const options = { ...(migrations && { migrations }), now: clock() }
  const { taken, missing } = await stepsTo(database, options)
  // Writes nothing, so that a damaged database can still be opened and inspected.
  if (missing.length === 0) return []
  const isUpgrade = taken > 0
  if (!isUpgrade || !config.backsUpBeforeUpgrade) return migrate(database, options)

  const folder = backupsIn(config.dataFolder)
  const name = backupName('before-upgrade', clock())
  const backup = join(folder, name)
  say(`Upgrading your data to this version. Writing a backup first: ${backup}`)
  const manifest = await takeBackup({ ...deps, place: config }, backup, 'beside')
  const written = { name, manifest }
  const keeping = { count: KEPT_BACKUPS, now: clock() }
  const steps = await migrate(database, options).then(undefined, async (error: unknown) => {
    // Repeated restarts must not delete the backups of earlier upgrades.
    await deleteOldBackups(folder, written, { ...keeping, sameStep: true })
    throw upgradeFailed(error, backup)
  })
  await deleteOldBackups(folder, written, keeping)
  say(
    `Your data is up to date. To roll back, run with the earlier version: npm run dossier -- restore ${backup} --replace`,
  )
  return steps
}

function upgradeFailed(error: unknown, backup: string): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  const problem = new Problem(
    'not-ready',
    `The upgrade failed and was rolled back. Start the earlier version again; you don't need the backup ${backup} for that. Reason: ${reason}`,
  )
  return Object.assign(problem, { cause: error })
}
