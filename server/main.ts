import { recoverRestore } from './operations/restore/restore-journal.ts'
import { randomBytes } from 'node:crypto'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { upgrade } from './operations/backup/upgrade.ts'
import { compose } from './compose.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import {
  freeMemoryOfStart,
  keepNewFilesPrivate,
  limitHeapGrowth,
  lowerPoolPriority,
  shutDownOnSignals,
  warningIfShared,
} from './operations/process-setup.ts'
import type { Database } from './platform/database/database.ts'
import { stepsTo } from './platform/database/migrations/migrate.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { Problem } from '#domain/shared/problem.ts'
import { renewMovedLog } from './records/changes/moved-log.ts'
import { listen } from './http/listen.ts'
import { openLog } from './platform/http/logging.ts'
import { openStorage, stagingFolderOf, describeStorageStartError } from './platform/storage/open-storage.ts'
import { openStaging } from './platform/storage/staging/staging.ts'
import { assertNoFilesBesideNewDatabase } from './files/ownership/claim-storage.ts'
import { finishRotations } from './operations/keys/rotate-keys.ts'
import { assertSameKeys } from './operations/keys/verify-keys.ts'

const print = (...lines: readonly string[]): boolean => process.stdout.write(`${lines.join('\n')}\n`)

function exitWithError(sentences: readonly string[]): never {
  process.stderr.write(`${sentences.join('\n')}\n`)
  process.exit(1)
}

/**
 * Rejects an empty database if files exist: the database was lost, or the wrong one is configured. Another process may
 * be setting up the same database and storage at this moment.
 */
async function assertKnownDatabase(config: Config, database: Database): Promise<void> {
  const isNew = async (): Promise<boolean> => (await stepsTo(database)).taken === 0
  if (!(await isNew())) return
  const blobs = await openStorage(config, () => undefined)
  const staging = openStaging(stagingFolderOf(config))
  await assertNoFilesBesideNewDatabase({ config, blobs, staging }).then(undefined, async (error: unknown) => {
    if (await isNew()) throw error
  })
}

const homeAddress = ({ publicUrl, session: { routes } }: Config): string =>
  publicUrl.origin + (routes.home === '/' ? '' : routes.home)

async function start(): Promise<void> {
  keepNewFilesPrivate()
  limitHeapGrowth()
  const read = readConfig(process.env)
  if (!read.ok) exitWithError(read.fault)
  const config = read.value
  const noStorage = await describeStorageStartError(config)
  if (noStorage !== undefined) exitWithError([noStorage])

  const log = openLog(config.logLevel)
  const report = (error: unknown): void => log.error({ err: error }, 'database error')
  await recoverRestore(config, (line) => log.warn(line))
  const database = await openDatabase(config, { report })
  const warning = await warningIfShared(config.dataFolder)
  if (warning !== undefined) log.warn(warning)
  const clock = () => new Date()
  await assertKnownDatabase(config, database)
  await upgrade({ config, database, clock, say: print })
  await renewMovedLog(database)
  await assertSameKeys(config, database)
  await finishRotations({ config, database, clock, newId: createIdGenerator(Date.now, randomBytes) })
  const dossier = await compose({ config, database, log, clock })
  const stop = async (): Promise<void> => {
    await dossier.stop()
    await database.close()
  }

  await lowerPoolPriority().then(undefined, (error: unknown) =>
    log.debug({ err: error }, 'failed to lower the priority of the thread pool'),
  )
  const listening = await listen(dossier.app, config)
  if (!listening.ok) {
    await stop()
    exitWithError([listening.fault])
  }
  shutDownOnSignals(stop, log)
  print('', `Dossier is ready at ${homeAddress(config)}`)
  if (dossier.setupLink !== undefined) print(`Create the first owner with this one-time link: ${dossier.setupLink}`)
  print('Press Ctrl-C to stop it.', '')
  await dossier.start()
  freeMemoryOfStart()
}

start().catch((error: unknown) => {
  if (error instanceof Problem) exitWithError([error.message])
  exitWithError([error instanceof Error ? (error.stack ?? error.message) : String(error)])
})
