import type { Logger } from 'pino'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Definitions, DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { textsIn } from '#server/query/search/searched-texts.ts'
import { publishIndexChange } from './index-records.ts'
import {
  brokenTrigramIndexes,
  createTrigramIndex,
  createTrigrams,
  dropTrigramIndex,
  hasTrigrams,
  planTrigramIndexes,
} from './trigrams-store.ts'

type TrigramIndexerDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly newId: IdGenerator
  readonly log: Logger
}

/** Ensures that PostgreSQL has trigram indexes of all searched texts, where the extension is available. */
export function createTrigramIndexer(deps: TrigramIndexerDeps): (signal: AbortSignal) => Promise<void> {
  const reportRefusal = createOnceLogger(deps)
  return async (signal) => {
    if ((await hasTrigrams(deps.database.read)) || (await mayCreate(deps, reportRefusal)))
      await indexMissing(deps, signal)
  }
}

async function indexMissing({ database, definitions, newId }: TrigramIndexerDeps, signal: AbortSignal): Promise<void> {
  const known = await definitions.current()
  // An import would take much longer if indexes were created while it runs.
  if (known.pendingImports.length > 0 || plansFor(known).length === 0) return
  await database.maintain({
    name: 'search indexes',
    signal,
    work: async (run) => {
      for (const name of await brokenTrigramIndexes(database.read)) await run(dropTrigramIndex(name))
      for (const { collection, create, drop } of plansFor(await definitions.current())) {
        for (const texts of create) {
          const statement = createTrigramIndex({ collection, texts, newId, isConcurrent: true })
          await run(statement.compile(database.read).sql)
        }
        for (const { id } of drop) await run(dropTrigramIndex(id))
      }
    },
  })
  await database.write((transaction) => publishIndexChange(transaction, definitions))
}

/** The extension is trusted: anyone with CREATE permission on the database can install it. */
const mayCreate = ({ database }: TrigramIndexerDeps, reportRefusal: (error: unknown) => void): Promise<boolean> =>
  database
    .write((transaction) => createTrigrams(transaction))
    .then(
      () => hasTrigrams(database.read),
      (error: unknown) => {
        reportRefusal(error)
        return false
      },
    )

/** Checked every minute, because the extension can be installed at any time; logged once. */
function createOnceLogger({ log }: TrigramIndexerDeps): (error: unknown) => void {
  let isReported = false
  return (error) => {
    if (!isReported) log.info({ err: error }, 'extension pg_trgm is not available; searches scan records')
    isReported = true
  }
}

/** Fields added to a large collection get an index of their own; more than one are combined with the others. */
const MAX_SHARED_INDEXES = 2

const plansFor = ({ list, searchParts, timeZone }: Definitions) =>
  list
    .map((collection) => {
      const texts = textsIn(collection, { timeZone, dialect: 'postgres' })
      const plan = planTrigramIndexes(searchParts.get(collection.id) ?? [], texts, MAX_SHARED_INDEXES)
      return { collection: collection.id, ...plan }
    })
    .filter(({ create, drop }) => create.length + drop.length > 0)
