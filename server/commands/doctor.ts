import { examineAll } from '#server/doctor/examine-all.ts'
import type { Command } from './command.ts'

/** Looks at everything that must agree, and changes nothing. */
export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'examine the data: file, tables, records, change log, imports and files',
  run: async (needs) => ((await examineAll(needs)) === 0 ? 0 : 1),
}
