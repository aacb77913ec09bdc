import { describeLastBackup } from '#server/operations/backup/last-backup.ts'
import { describeCause, isCorruption } from '#server/platform/database/sqlite/sqlite-errors.ts'
import { runDoctor } from '#server/operations/doctor/run-doctor.ts'
import { findKeyFault } from '#server/operations/keys/verify-keys.ts'
import type { Command } from './command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check the data: database file, tables, records, change log, imports and files',
  run: async (needs) => {
    const keyFault = await findKeyFault(needs.config, needs.database.read).then(undefined, describeCause)
    needs.say(`${keyFault === undefined ? 'ok   ' : 'FAIL '}  Keys match the database`)
    if (keyFault !== undefined) needs.say(`         ${keyFault}`)
    const found = await runDoctor(needs)
    await describeLastBackup(needs.database, needs.clock()).then(needs.say, (error: unknown) => {
      if (!isCorruption(error)) throw error
    })
    return found === 0 && keyFault === undefined ? 0 : 1
  },
}
