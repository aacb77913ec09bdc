import { Problem } from '#domain/shared/problem.ts'
import type { Clock } from '#domain/shared/time.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { isCorruption } from '#server/platform/database/sqlite/sqlite-errors.ts'
import { openStorage, describeStorageStartError } from '#server/platform/storage/open-storage.ts'
import { type CheckResult, runChecks } from './run-checks.ts'
import { damageOf, checkDatabaseFile } from './checks.ts'

type Deps = {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly say: (line: string) => void
}

/**
 * Runs all checks, changes nothing and returns the number of errors. In a `picture` (a backup), work in progress is
 * normal.
 */
export async function runDoctor(
  { config, database, clock, say }: Deps,
  { isPicture }: { readonly isPicture: boolean } = { isPicture: false },
): Promise<number> {
  const noStorage = await describeStorageStartError(config)
  if (noStorage !== undefined) throw new Problem('storage-away', noStorage)
  const blobs = await openStorage(config, () => undefined)
  let found = 0
  const tell = ({ name, findings, endsByItself, isNote }: CheckResult): void => {
    const isWell = findings.length === 0 || isNote === true || (isPicture && endsByItself === true)
    say(`${isWell ? 'ok   ' : 'FAIL '}  ${name}`)
    for (const finding of findings) say(`         ${finding}`)
    found += isWell ? 0 : findings.length
  }
  const definitions = await definitionsCache(database, () => performance.now())
    .current()
    .then(undefined, (error: unknown) => {
      if (!isCorruption(error)) throw error
      return undefined
    })
  // Without definitions, nothing else can be checked.
  if (definitions) await runChecks({ database, definitions, blobs, now: clock() }, tell)
  else tell({ name: checkDatabaseFile.name, findings: await damageOf(database, []) })
  say(found === 0 ? 'No problems found.' : `${found} problems found. Nothing was changed.`)
  return found
}
