import { changeFeed } from '#server/changes/change-feed.ts'
import { definitionsCache } from '#server/collections/definitions-cache.ts'
import { openLog } from '#server/http/logging.ts'
import { openImports } from '#server/imports/open-imports.ts'
import type { ImportRouteNeeds } from '#server/imports/routes.ts'
import { openRights } from '#server/roles/rights.ts'
import { rulesCache } from '#server/roles/rules-cache.ts'
import { openShapes } from '#server/shapes/open-shapes.ts'
import type { CommandNeeds } from './command.ts'

/** What the stories of records and imports need, for a command; a running server notices what it changes by itself. */
export function recordsFor({ config, database, clock, newId }: CommandNeeds): ImportRouteNeeds {
  const feed = changeFeed()
  const log = openLog('warn')
  const report = (error: unknown): void => log.warn({ err: error }, 'a list could not be looked through')
  const definitions = definitionsCache(database, () => performance.now())
  return openImports(
    {
      database,
      definitions,
      clock,
      newId,
      announce: (event) => {
        if (event.type === 'definitions-changed') definitions.drop()
      },
      feed,
      shapes: openShapes({ feed, nowMs: () => performance.now(), report }),
      fileAddress: () => ({ url: '', thumbUrl: null }),
    },
    { ...config, log, rightsOf: openRights(rulesCache(database)) },
  )
}
