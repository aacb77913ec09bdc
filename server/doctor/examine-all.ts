import { Problem } from '#domain/shared/problem.ts'
import type { Clock } from '#domain/shared/clock.ts'
import { definitionsCache } from '#server/collections/definitions-cache.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { openStorage, storageStartSentence } from '#server/storage/open-storage.ts'
import { examine } from './examine.ts'

type Needs = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly say: (line: string) => void
}

/** Looks at everything that must agree, changes nothing, and tells each thing as it is found; answers how many are not well. */
export async function examineAll({ config, database, clock, say }: Needs): Promise<number> {
  const definitions = await definitionsCache(database, () => performance.now()).current()
  const noStorage = await storageStartSentence(config)
  if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
  const blobs = await openStorage(config, () => undefined)
  const found = await examine({ database, definitions, blobs, now: clock() }, ({ name, findings }) => {
    say(`${findings.length === 0 ? 'well ' : 'FOUND'}  ${name}`)
    for (const finding of findings) say(`         ${finding}`)
  })
  say(found === 0 ? 'All is well.' : `${found} things are not as they should be. Nothing was changed.`)
  return found
}
