import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import type { FullTextIndexes } from '#server/query/search/full-text-index.ts'
import { loadFullTextIndexes } from '#server/query/search/index/load-full-text-indexes.ts'
import { lockDefinitionsVersion, loadCollections, loadPendingImports, readDefinitionsVersion } from './store.ts'
import { loadTimeZone } from './workspace-time-zone.ts'

/** All definitions at one moment. */
export type Definitions = {
  readonly version: number
  /** In the order of the sidebar. */
  readonly list: readonly Collection[]
  readonly byId: ReadonlyMap<CollectionId, Collection>
  readonly byName: ReadonlyMap<string, Collection>
  /** Imports on their way: rows that bear their id are not there yet for anybody. */
  readonly pendingImports: readonly string[]
  /** The full-text indexes of each collection. */
  readonly searchParts: FullTextIndexes
  /** The time zone of the workspace; see `findTimeZone`. */
  readonly timeZone: string
}

/** Definitions in memory, read anew when any process changed one. */
export type DefinitionsCache = {
  /** For reads; never behind this process, nor behind what whoever asks may have done at another; else by `RECHECK_AFTER_MS` at most. */
  readonly current: () => Promise<Definitions>
  /** For writes: exactly those of the transaction. */
  readonly within: (transaction: Transaction) => Promise<Definitions>
  /** Says that this process changed something; the next `current` looks again. */
  readonly drop: () => void
  /** Says that there is this version, by whichever process; what `current` answers from now on is not older. */
  readonly notice: (version: number) => void
}

/** How long reads trust the memory before they ask the database whether another process changed a definition. */
const RECHECK_AFTER_MS = 250

/** A cache over one database. `nowMs` counts milliseconds and never jumps back. */
export function definitionsCache(database: Database, nowMs: () => number): DefinitionsCache {
  let known: Definitions | undefined
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<Definitions> | undefined
  let drops = 0
  let noticed = 0

  const load = async (reader: Reader, version: number): Promise<Definitions> => {
    if (known?.version === version) return known
    return definitionsOf(version, {
      list: await loadCollections(reader),
      pendingImports: await loadPendingImports(reader),
      searchParts: await loadFullTextIndexes(reader, database.dialect),
      timeZone: await loadTimeZone(reader),
    })
  }

  const look = async (): Promise<Definitions> => {
    const startedAtMs = nowMs()
    const dropsBefore = drops
    // The version is read before the definitions: should they change in between, the next look loads them again.
    const found = await load(database.read, await readDefinitionsVersion(database.readByKey))
    // A look that began earlier may end later: what it saw is older than what is known by now.
    if (known === undefined || found.version > known.version) known = found
    // What was dropped while we looked may have been read too early.
    if (drops === dropsBefore) checkedAtMs = startedAtMs
    return known
  }

  const drop = (): void => {
    drops += 1
    checkedAtMs = Number.NEGATIVE_INFINITY
    loading = undefined
  }

  return {
    drop,
    notice: (version) => {
      // Of many who notice the same, one begins to look, and all wait for that.
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
    within: async (transaction) => load(transaction.db, await lockDefinitionsVersion(transaction)),
  }
}

/** Definitions with one of them changed, as a write leaves them. */
export const withDefinition = ({ version, list, ...rest }: Definitions, after: Collection): Definitions =>
  definitionsOf(version, { ...rest, list: list.map((each) => (each.id === after.id ? after : each)) })

function definitionsOf(
  version: number,
  { list, ...rest }: Pick<Definitions, 'list' | 'pendingImports' | 'searchParts' | 'timeZone'>,
): Definitions {
  return {
    version,
    list,
    ...rest,
    byId: new Map(list.map((collection) => [collection.id, collection])),
    byName: new Map(list.map((collection) => [collection.name, collection])),
  }
}
