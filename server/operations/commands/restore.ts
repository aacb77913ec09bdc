import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Problem } from '#domain/shared/problem.ts'
import { readSource, restoreBackup } from '#server/operations/restore/restore-backup.ts'
import { ALL_MIGRATIONS } from '#server/platform/database/migrations/migrate.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { runDoctor } from '#server/operations/doctor/run-checks.ts'
import { describeStorageStartError } from '#server/platform/storage/open-storage.ts'
import { COMMAND_TIME_LIMITS, type Command, type StandaloneCommandDeps } from './command.ts'

const USAGE = '<backup or folder moved aside> [--replace]'

function parseCall(args: readonly string[]): { readonly folder: string; readonly replaces: boolean } {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { replace: { type: 'boolean' } },
    allowPositionals: true,
    strict: false,
  })
  const [folder, ...more] = positionals
  const isClear = more.length === 0 && Object.keys(values).every((name) => name === 'replace')
  if (folder !== undefined && isClear) return { folder, replaces: values['replace'] === true }
  throw new Problem('invalid-request', `Usage: npm run dossier -- restore ${USAGE}`)
}

export const restoreCommand: Command = {
  name: 'restore',
  usage: USAGE,
  summary: 'restore a backup to an empty location; --replace moves existing data aside. Stop the server first',
  runAlone: async (deps) => {
    const { config, clock, say } = deps
    const { folder, replaces } = parseCall(deps.args)
    const source = await readSource(resolve(folder))
    const noStorage = await describeStorageStartError(config)
    if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
    const { migration } = await restoreBackup({ place: config, clock, replaces, say }, source)
    say(`Restored the data of ${source.at}. All users must sign in again.`)
    if (migration < (ALL_MIGRATIONS.at(-1)?.number ?? 0)) {
      say('The backup is from an earlier version. That version can use it; this version upgrades it at startup.')
      return 0
    }
    return examineRestored(deps)
  },
}

async function examineRestored({ config, clock, say }: StandaloneCommandDeps): Promise<number> {
  const database = await openDatabase(config, { openedBy: 'command-line', limits: COMMAND_TIME_LIMITS })
  try {
    return (await runDoctor({ config, database, clock, say }, { isBackup: true })) === 0 ? 0 : 1
  } finally {
    await database.close()
  }
}
