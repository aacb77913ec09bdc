/**
 * Server under test: `server/main.ts` with the grants in `BENCH_GRANTS` for editors, including a row filter and a
 * hidden field.
 */
import type { Grant } from '#domain/access/grant.ts'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { migrate } from '#server/platform/database/migrations/migrate.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { listen } from '#server/http/listen.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { shutDownOnSignals } from '#server/operations/process-setup.ts'

const read = readConfig(process.env)
if (!read.ok) throw new Error(read.fault.join('\n'))
const config = read.value
// The benchmark wrote this file, so its format is known.
const bound = JSON.parse(process.env['BENCH_GRANTS'] ?? '[]') as readonly Grant[]

const log = openLog(config.logLevel)
const database = await openDatabase(config, {
  report: (error) => log.error({ err: error }, 'database error'),
})
await migrate(database)
const dossier = await compose({
  config,
  database,
  log,
  clock: () => new Date(),
  grantsInstead: ({ roles }) => (roles.includes('editor') ? bound : undefined),
})
const stop = async (): Promise<void> => {
  await dossier.stop()
  await database.close()
}
const listening = await listen(dossier.app, config)
if (!listening.ok) throw new Error(listening.fault)
shutDownOnSignals(stop, log)
process.stdout.write('Press Ctrl-C to stop it.\n')
await dossier.start()
