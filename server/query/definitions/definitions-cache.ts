import type { Collection } from '#domain/collections/collection.ts'
import { withLiveReverseSides } from '#domain/collections/reverse-side.ts'
import { withRollupInputs } from '#domain/rollups/rollup-fields.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import type { FullTextIndexes } from '#server/query/search/full-text-index.ts'
import { loadFullTextIndexes } from '#server/query/search/index/full-text-store.ts'
import {
  expectDefinitionsVersion,
  incrementDefinitionsVersion,
  loadCollections,
  loadPendingImports,
  lockDefinitionsVersion,
  readDefinitionsVersion,
} from './store.ts'
import { loadTimeZone } from './workspace-time-zone.ts'

export type Definitions = {
  readonly version: number
  readonly list: readonly Collection[]
  /** As stored, with the reverse sides of relations that don't exist. */
  readonly stored: readonly Collection[]
  readonly byId: ReadonlyMap<CollectionId, Collection>
  readonly byName: ReadonlyMap<string, Collection>
  /** IDs of running imports, whose rows are hidden from everyone. */
  readonly pendingImports: readonly string[]
  readonly searchParts: FullTextIndexes
  readonly timeZone: string
}

export type DefinitionsCache = {
  /** For reads; includes all changes known to the current client, but can otherwise be up to `RECHECK_AFTER_MS` old. */
  readonly current: () => Promise<Definitions>
  /** For reads that must not miss a change by another process: includes every change committed before the call. */
  readonly latest: () => Promise<Definitions>
  /** For writes: exactly the definitions seen by the transaction. */
  readonly within: (transaction: Transaction) => Promise<Definitions>
  readonly drop: () => void
  /** The definitions of a committed write, so that they aren't loaded again. */
  readonly adopt: (changed: Definitions) => void
  readonly notice: (version: number) => void
}

/** How long reads use the cache before checking for changes by other processes, in ms. */
const RECHECK_AFTER_MS = 250

export function definitionsCache(database: Database, nowMs: () => number): DefinitionsCache {
  let known: Definitions | undefined
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<Definitions> | undefined
  let drops = 0
  let noticed = 0

  const load = async (reader: Reader, version: number): Promise<Definitions> => {
    if (known?.version === version) return known
    return definitionsOf(version, {
      stored: await loadCollections(reader, known?.stored),
      pendingImports: await loadPendingImports(reader),
      searchParts: await loadFullTextIndexes(reader, database.dialect),
      timeZone: await loadTimeZone(reader),
    })
  }

  /** Checks and writes can finish out of order, so an older result must not replace a newer one. */
  const keepNewest = (found: Definitions): Definitions => {
    if (known === undefined || found.version > known.version) known = found
    return known
  }

  const look = async (): Promise<Definitions> => {
    const startedAtMs = nowMs()
    const dropsBefore = drops
    // The version is read before the definitions, so if they change in between, the next check reloads them.
    const found = await load(database.read, await readDefinitionsVersion(database.readByKey))
    const newest = keepNewest(found)
    // If the cache was invalidated during the check, the result may be outdated.
    if (drops === dropsBefore) checkedAtMs = startedAtMs
    return newest
  }

  const drop = (): void => {
    drops += 1
    checkedAtMs = Number.NEGATIVE_INFINITY
    loading = undefined
  }

  return {
    drop,
    adopt: (changed) => {
      if (keepNewest(changed) === changed) checkedAtMs = nowMs()
    },
    notice: (version) => {
      // Concurrent checks share one query.
      if (version <= noticed) return
      noticed = version
      if (known === undefined || version > known.version) drop()
    },
    current: async () => {
      if (known && nowMs() - checkedAtMs < RECHECK_AFTER_MS) return known
      loading ??= withoutCancellation(look).finally(() => {
        loading = undefined
      })
      return loading
    },
    latest: () => withoutCancellation(look),
    within: async (transaction) => {
      const { optimistic } = transaction
      const isDropped = checkedAtMs === Number.NEGATIVE_INFINITY
      if (!optimistic || !known || isDropped) return load(transaction.db, await lockDefinitionsVersion(transaction))
      expectDefinitionsVersion(optimistic, known.version)
      return known
    },
  }
}

export const withDefinition = ({ version, stored, ...rest }: Definitions, after: Collection): Definitions =>
  definitionsOf(version, { ...rest, stored: stored.map((each) => (each.id === after.id ? after : each)) })

export const withoutCollection = ({ version, stored, ...rest }: Definitions, { id }: Collection): Definitions =>
  definitionsOf(version, { ...rest, stored: stored.filter((each) => each.id !== id) })

function definitionsOf(
  version: number,
  { stored, ...rest }: Pick<Definitions, 'stored' | 'pendingImports' | 'searchParts' | 'timeZone'>,
): Definitions {
  const list = withRollupInputs(withLiveReverseSides(stored), rest.timeZone)
  return {
    ...rest,
    version,
    list,
    stored,
    byId: new Map(list.map((collection) => [collection.id, collection])),
    byName: new Map(list.map((collection) => [collection.name, collection])),
  }
}

export async function collectionsById(reader: Reader): Promise<ReadonlyMap<CollectionId, Collection>> {
  const live = withLiveReverseSides(await loadCollections(reader))
  const list = withRollupInputs(live, await loadTimeZone(reader))
  return new Map(list.map((collection) => [collection.id, collection]))
}

export const notifyPendingImportsChanged = (transaction: Transaction): Promise<void> =>
  incrementDefinitionsVersion(transaction)

export const notifySearchIndexChanged = (transaction: Transaction): Promise<void> =>
  incrementDefinitionsVersion(transaction)
