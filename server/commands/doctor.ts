import { lastBackupInWords } from '#server/backup/last-backup.ts'
import { examineAll } from '#server/doctor/examine-all.ts'
import type { Command } from './command.ts'

/** Looks at everything that must agree, and changes nothing. */
export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'examine the data: file, tables, records, change log, imports and files',
  run: async (needs) => {
    const found = await examineAll(needs)
    needs.say(await lastBackupInWords(needs.database, needs.clock()))
    return found === 0 ? 0 : 1
  },
}
