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

/**
 * Looks at everything that must agree, changes nothing, and tells each thing as it is found; answers how many are not well. Of
 * a `picture`, which a backup is, what was under way in its moment is well: it ends with the next start.
 */
export async function examineAll(
  { config, database, clock, say }: Needs,
  { isPicture }: { readonly isPicture: boolean } = { isPicture: false },
): Promise<number> {
  const definitions = await definitionsCache(database, () => performance.now()).current()
  const noStorage = await storageStartSentence(config)
  if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
  const blobs = await openStorage(config, () => undefined)
  let found = 0
  await examine({ database, definitions, blobs, now: clock() }, ({ name, findings, endsByItself }) => {
    const isWell = findings.length === 0 || (isPicture && endsByItself === true)
    say(`${isWell ? 'well ' : 'FOUND'}  ${name}`)
    for (const finding of findings) say(`         ${finding}`)
    found += isWell ? 0 : findings.length
  })
  say(found === 0 ? 'All is well.' : `${found} things are not as they should be. Nothing was changed.`)
  return found
}
