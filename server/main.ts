import { upgrade } from './backup/upgrade.ts'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database/open-database.ts'
import { Problem } from '#domain/shared/problem.ts'
import { listen } from './http/listen.ts'
import { openLog } from './http/logging.ts'
import { storageStartSentence } from './storage/open-storage.ts'
import { refuseOtherKeys } from './keys/refuse-other-keys.ts'
import { letPoolStepBack } from './step-back.ts'
import { stopOnSignals } from './stop-on-signals.ts'

const say = (...lines: readonly string[]): boolean => process.stdout.write(`${lines.join('\n')}\n`)

/** Ends the start with sentences for the person in front of it. */
function giveUp(sentences: readonly string[]): never {
  process.stderr.write(`${sentences.join('\n')}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  const read = readConfig(process.env)
  if (!read.ok) giveUp(read.fault)
  const config = read.value
  const noStorage = await storageStartSentence(config)
  if (noStorage !== undefined) giveUp([noStorage])

  const log = openLog(config.logLevel)
  const report = (error: unknown): void => log.error({ err: error }, 'the database reports an error')
  const database = await openDatabase(config, { report })
  const clock = () => new Date()
  await upgrade({ config, database, clock, say })
  await refuseOtherKeys(config, database)
  const dossier = await compose({ config, database, log, clock })
  const stop = async (): Promise<void> => {
    await dossier.stop()
    await database.close()
  }

  const listening = await listen(dossier.app, config)
  if (!listening.ok) {
    await stop()
    giveUp([listening.fault])
  }
  stopOnSignals(stop, log)
  say('', `Dossier is ready at ${config.publicUrl.origin}`)
  if (dossier.setupLink !== undefined) say(`Create its owner with this link, which works once: ${dossier.setupLink}`)
  say('Press Ctrl-C to stop it.', '')
  await letPoolStepBack().then(undefined, (error: unknown) => log.debug({ err: error }, 'the pool keeps its priority'))
  await dossier.start()
}

start().catch((error: unknown) => {
  if (error instanceof Problem) giveUp([error.message])
  giveUp([error instanceof Error ? (error.stack ?? error.message) : String(error)])
})
