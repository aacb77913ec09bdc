import { isSearchedText } from '#domain/query/search.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { notifySearchIndexChanged } from '#server/query/definitions/search-index-changed.ts'
import type { SearchDeps } from './search-indexer-deps.ts'
import {
  brokenTrigramIndexes,
  createTrigrams,
  dropTrigramIndex,
  hasTrigrams,
  trigramIndexBeside,
} from './trigrams-store.ts'

/** Sees to it that PostgreSQL has an index of trigrams for every searched text, where it may have one at all. */
export function createTrigramIndexer(needs: SearchDeps): (signal: AbortSignal) => Promise<void> {
  const tellRefusal = createOnceLogger(needs)
  return async (signal) => {
    if ((await hasTrigrams(needs.database.read)) || (await mayCreate(needs, tellRefusal)))
      await indexMissing(needs, signal)
  }
}

async function indexMissing({ database, definitions }: SearchDeps, signal: AbortSignal): Promise<void> {
  if (missingIn(await definitions.current()).length === 0) return
  await database.maintain({
    name: 'search indexes',
    signal,
    work: async (run) => {
      for (const name of await brokenTrigramIndexes(database.read)) await run(dropTrigramIndex(name))
      for (const { collection, field } of missingIn(await definitions.current())) {
        await run(trigramIndexBeside(collection, field))
      }
    },
  })
  await database.write(async (transaction) => {
    await notifySearchIndexChanged(transaction)
    transaction.afterCommit(() => definitions.drop())
  })
}

/** The extension is trusted: whoever may create in the database may have it, where it is installed. */
const mayCreate = ({ database }: SearchDeps, tellRefusal: (error: unknown) => void): Promise<boolean> =>
  database
    .write((transaction) => createTrigrams(transaction))
    .then(
      () => hasTrigrams(database.read),
      (error: unknown) => {
        tellRefusal(error)
        return false
      },
    )

/** It is asked for every minute, as it may come any time; whoever runs the server is told once. */
function createOnceLogger({ log }: SearchDeps): (error: unknown) => void {
  let isTold = false
  return (error) => {
    if (!isTold) log.info({ err: error }, 'extension pg_trgm is not available; searches scan records')
    isTold = true
  }
}

const missingIn = ({ list, searchParts }: Definitions) =>
  list.flatMap(({ id, fields }) => {
    const known = new Set(searchParts.get(id)?.flatMap((part) => part.fields))
    const missing = fields.filter((field) => isSearchedText(field) && !known.has(field.id))
    return missing.map((field) => ({ collection: id, field: field.id }))
  })
