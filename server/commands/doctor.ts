import { Problem } from '#domain/shared/problem.ts'
import { definitionsCache } from '#server/collections/definitions-cache.ts'
import { examine } from '#server/doctor/examine.ts'
import { openStorage, storageStartSentence } from '#server/storage/open-storage.ts'
import type { Command } from './command.ts'

/** Looks at everything that must agree, and changes nothing. */
export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'examine the data: file, tables, records, change log, imports and files',
  run: async ({ config, database, clock, say }) => {
    const definitions = await definitionsCache(database, () => performance.now()).current()
    const noStorage = await storageStartSentence(config)
    if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
    const blobs = await openStorage(config, () => undefined)
    const found = await examine({ database, definitions, blobs, now: clock() }, ({ name, findings }) => {
      say(`${findings.length === 0 ? 'well ' : 'FOUND'}  ${name}`)
      for (const finding of findings) say(`         ${finding}`)
    })
    say(found === 0 ? 'All is well.' : `${found} things are not as they should be. Nothing was changed.`)
    return found === 0 ? 0 : 1
  },
}
