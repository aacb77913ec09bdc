import { createChangeFeed } from '#server/platform/events/change-feed.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { createImports } from '#server/transfer/imports/import-deps.ts'
import type { ImportRouteDeps } from '#server/transfer/imports/import-deps.ts'
import { createRightsResolver } from '#server/access/rights/rights.ts'
import { createAccessRulesCache } from '#server/access/rights/access-rules-cache.ts'
import { createListCache } from '#server/query/cache/list-cache.ts'
import type { CommandDeps } from './command.ts'

/** A running server notices a command's changes by itself. */
export function createCommandDeps({ config, database, clock, newId }: CommandDeps): ImportRouteDeps {
  const feed = createChangeFeed()
  const log = openLog('warn')
  const report = (error: unknown): void => log.warn({ err: error }, 'record query failed')
  const definitions = definitionsCache(database, () => performance.now())
  return createImports(
    {
      database,
      definitions,
      clock,
      newId,
      announce: (event) => {
        if (event.type === 'definitions-changed') definitions.drop()
      },
      feed,
      shapes: createListCache({ feed, nowMs: () => performance.now(), report }),
      fileAddress: () => ({ url: '', thumbUrl: null }),
    },
    { ...config, log, rightsOf: createRightsResolver(createAccessRulesCache(database)) },
  )
}
