import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { fieldInput } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { createChangeFeed } from '#server/platform/events/change-feed.ts'
import { createCollection } from '#server/schema/collections/create-collection.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { UNSEALED } from '#server/records/crud/sealed-cursors.ts'
import { createListCache } from '#server/query/cache/list-cache.ts'
import { countReads } from './count-statements.ts'
import { type TestDatabaseOptions, openTestDatabase } from './test-database.ts'

/** Record operations on a new database, without a server. */
export type TestRecords = {
  readonly deps: RecordDeps
  /** Number of reads since this function was last called. */
  readonly reads: () => number
  /** Creates a collection and returns its ID. */
  readonly collection: (label: string, fields: readonly z.input<typeof fieldInput>[]) => Promise<string>
  readonly close: () => Promise<void>
}

/** The actor for tests that don't cover permissions. */
export const TESTER: Actor = { type: 'system', reason: 'a test' }

/** Opens a new database, which must be closed in `afterAll`. */
export async function openTestRecords(options: TestDatabaseOptions = {}): Promise<TestRecords> {
  const opened = await openTestDatabase(options)
  const { database, reads } = countReads(opened.database)
  const feed = createChangeFeed()
  const failures: unknown[] = []
  const shapes = createListCache({ feed, nowMs: () => performance.now(), report: (error) => void failures.push(error) })
  // No other process changes field definitions in these tests.
  const definitions = definitionsCache(database, () => 0)
  const deps: RecordDeps = {
    database,
    definitions,
    clock: () => new Date(),
    newId: createIdGenerator(Date.now, (count) => randomBytes(count)),
    announce: ({ type }) => {
      if (type === 'definitions-changed') definitions.drop()
    },
    feed,
    shapes,
    fileAddress: () => ({ url: '', thumbUrl: null }),
    cursorSeal: UNSEALED,
  }
  return {
    deps,
    reads,
    collection: async (label, fields) => {
      const draft = { label, fields: fields.map((field) => fieldInput.parse(field)) }
      return (await createCollection(deps, TESTER, draft)).id
    },
    close: async () => {
      shapes.close()
      await opened.close()
      if (failures.length > 0) throw failures[0]
    },
  }
}
