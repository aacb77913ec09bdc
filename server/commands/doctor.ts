import { join } from 'node:path'
import { definitionsCache } from '#server/collections/definitions-cache.ts'
import { examine } from '#server/doctor/examine.ts'
import { openDiskStorage } from '#server/storage/disk-storage.ts'
import type { Command } from './command.ts'

/** Looks at everything that must agree, and changes nothing. */
export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'examine the data: file, tables, records, change log, imports and files',
  run: async ({ config, database, clock, say }) => {
    const definitions = await definitionsCache(database, () => performance.now()).current()
    const blobs = openDiskStorage(join(config.dataFolder, 'blobs'))
    const found = await examine({ database, definitions, blobs, now: clock() }, ({ name, findings }) => {
      say(`${findings.length === 0 ? 'well ' : 'FOUND'}  ${name}`)
      for (const finding of findings) say(`         ${finding}`)
    })
    say(found === 0 ? 'All is well.' : `${found} things are not as they should be. Nothing was changed.`)
    return found === 0 ? 0 : 1
  },
}
