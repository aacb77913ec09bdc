import { isSearchedText } from '#domain/query/search.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { notifySearchIndexChanged } from '#server/query/definitions/search-index-changed.ts'
import { backfillIndex } from './backfill.ts'
import { syncFullTextIndexes } from './sync-definition.ts'
import { createTrigramIndexer } from './trigram-indexer.ts'
import { mergeSegments } from './merge-segments.ts'
import type { SearchDeps } from './search-indexer-deps.ts'
import { dropFullTextIndex, forgetIndexes, indexesRetiredBefore } from './full-text-store.ts'

/** How often it is looked for what other programs left to do, in ms; after a change of this program it is looked at once. */
const POLL_INTERVAL_MS = 60_000

/** An index that was replaced stays for so long, in ms: a statement that began before may still read in it. */
const RETIREMENT_MS = 60_000

/** What runs beside the requests for searches. */
export type SearchIndexer = { readonly start: () => void; readonly stop: () => Promise<void> }

/** Looks after the full-text indexes: makes those that are missing, and takes in what they still lack. */
export function createSearchIndexer(needs: SearchDeps): SearchIndexer {
  const stopping = new AbortController()
  const look: IndexPass = needs.database.dialect === 'postgres' ? createTrigramIndexer(needs) : createSqlitePass(needs)
  let timer: NodeJS.Timeout | undefined
  const { damage } = needs.database
  const hurt = new Set<string>()
  let unsubscribe = (): void => undefined
  let stopHearingDamage = (): void => undefined
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  const goesOn = (): boolean => !isAskedAgain && !stopping.signal.aborted

  async function lookUntilQuiet(): Promise<void> {
    do {
      isAskedAgain = false
      await giveUpHurt()
        .then(() => look(stopping.signal, goesOn))
        .then(undefined, (error: unknown) => needs.log.error({ err: error }, 'search indexer failed'))
    } while (isAskedAgain && !stopping.signal.aborted)
    looking = undefined
  }

  /** Gives up damaged indexes, which has new ones built; their tables stay in the file, since SQLite cannot drop them. */
  async function giveUpHurt(): Promise<void> {
    const parts = [...hurt]
    if (parts.length === 0) return
    await needs.database.write(async (transaction) => {
      await forgetIndexes(transaction, parts)
      await notifySearchIndexChanged(transaction)
      transaction.afterCommit(() => needs.definitions.drop())
    })
    for (const part of parts) hurt.delete(part)
  }

  function wake(): void {
    if (stopping.signal.aborted) return
    isAskedAgain = true
    looking ??= lookUntilQuiet()
  }

  return {
    start: () => {
      unsubscribe = needs.feed.subscribe(({ changed }) => {
        // Definitions changed, or an import ended.
        if (changed === 'everything') wake()
      })
      stopHearingDamage = damage.onSearchIndexDamage((parts) => {
        for (const part of parts) hurt.add(part)
        wake()
      })
      timer = setInterval(wake, POLL_INTERVAL_MS).unref()
      wake()
    },
    stop: async () => {
      clearInterval(timer)
      unsubscribe()
      stopHearingDamage()
      stopping.abort()
      await looking
    },
  }
}

/** An import on its way makes pieces faster than they could be put together; it says so when it has ended. */
async function mergeAll(needs: SearchDeps, goesOn: () => boolean): Promise<void> {
  const { pendingImports, searchParts } = await needs.definitions.current()
  if (pendingImports.length > 0) return
  for (const part of [...searchParts.values()].flat()) await mergeSegments(needs, part, goesOn)
}

/** Looks once; what can wait goes on only for as long as nothing else is to be done. */
type IndexPass = (signal: AbortSignal, goesOn: () => boolean) => Promise<void>

const createSqlitePass =
  (needs: SearchDeps): IndexPass =>
  async (signal, goesOn) => {
    await indexMissingCollections(needs, signal)
    await mergeAll(needs, goesOn)
  }

async function indexMissingCollections(needs: SearchDeps, signal: AbortSignal): Promise<void> {
  await removeRetired(needs)
  for (const { id } of (await needs.definitions.current()).list) {
    if (signal.aborted) return
    await indexCollection(needs, id)
    for (const part of (await needs.definitions.current()).searchParts.get(id) ?? []) {
      if (part.gap && !signal.aborted) await backfillIndex(needs, part, signal)
    }
  }
}

/** Gives a collection from before, or one that lacks them for whatever reason, its indexes. */
async function indexCollection(needs: SearchDeps, id: string): Promise<void> {
  if (!lacksIndex(await needs.definitions.current(), id)) return
  await needs.database.write(
    async (transaction) => {
      const now = await needs.definitions.within(transaction)
      const collection = now.byId.get(id)
      if (!collection || !lacksIndex(now, id)) return
      const parts = now.searchParts.get(id) ?? []
      const following = { transaction, parts, at: needs.clock().toISOString(), newId: needs.newId }
      await syncFullTextIndexes(following, collection, collection)
      await notifySearchIndexChanged(transaction)
      transaction.afterCommit(() => needs.definitions.drop())
    },
    { alone: 'definitions' },
  )
}

function lacksIndex({ byId, searchParts }: Definitions, id: string): boolean {
  const covered = new Set(searchParts.get(id)?.flatMap(({ fields }) => fields))
  return byId.get(id)?.fields.some((field) => isSearchedText(field) && !covered.has(field.id)) === true
}

async function removeRetired(needs: SearchDeps): Promise<void> {
  const { database, clock } = needs
  const at = new Date(clock().getTime() - RETIREMENT_MS).toISOString()
  for (const part of await indexesRetiredBefore(database.read, at)) {
    await database.write((transaction) => dropFullTextIndex(transaction, part))
  }
}
