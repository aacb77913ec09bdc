import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { ChangeFeed } from '#server/platform/events/change-feed.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'

/** Number of changed records of a collection after which their trigrams are moved. */
const MAX_LISTED = 300
/** Assumed number of records of a change that doesn't list them. */
const MANY = 100

/**
 * PostgreSQL adds trigrams of written texts to a list, and the write that fills it (4 MB) moves all of them to their index,
 * which takes 0.2 s while it holds its locks. This moves them before that, in the background.
 */
export function createTrigramMover({
  database,
  feed,
  log,
}: {
  readonly database: Database
  readonly feed: ChangeFeed
  readonly log: Logger
}) {
  const listed = new Map<CollectionId, number>()
  let moving: Promise<void> | undefined
  let isStopped = false
  let unsubscribe = (): void => undefined

  async function move(): Promise<void> {
    for (let next = fullList(); next !== undefined && !isStopped; next = fullList()) {
      listed.delete(next)
      await moveTrigrams(database, next).then(undefined, (error: unknown) =>
        log.warn({ err: error }, 'moving trigrams to their index failed'),
      )
    }
    moving = undefined
  }
  const fullList = () => [...listed].find(([, count]) => count >= MAX_LISTED)?.[0]

  return {
    start: (): void => {
      unsubscribe = feed.subscribe(({ changed }) => {
        if (changed === 'everything') return
        for (const [collection, records] of changed) {
          const count = (listed.get(collection) ?? 0) + (records === 'many' ? MANY : records.length)
          listed.set(collection, count)
          if (count >= MAX_LISTED) moving ??= move()
        }
      })
    },
    stop: async (): Promise<void> => {
      isStopped = true
      unsubscribe()
      await moving
    },
  }
}

async function moveTrigrams(database: Database, collection: CollectionId): Promise<void> {
  await database.write(
    ({ db }) =>
      sql`select gin_clean_pending_list(i.indexrelid) from pg_index as i join pg_class as index on index.oid = i.indexrelid
        where i.indrelid = to_regclass(${tableOf(collection)}) and i.indisvalid and index.relname like 's\\_%'`.execute(
        db,
      ),
    { locksItself: true },
  )
}
