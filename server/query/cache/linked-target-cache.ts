import { collectionsRead, dependsOnUserNames } from '#domain/query/list/evaluate-change.ts'
import { ALL_RECORDS } from '#domain/query/check/checked-filter.ts'
import { markChecked } from '#domain/query/check/check-filter.ts'
import { identityOf } from '#domain/query/list/query-identity.ts'
import type { Leaf } from '#domain/query/check/checked-filter.ts'
import type { Lookup } from '#domain/query/run/read-values.ts'
import { NO_SEARCH } from '#domain/query/list/search.ts'
import { sortKeyOf } from '#domain/query/list/sort.ts'
import { PEOPLE } from '#server/platform/events/change-feed.ts'
import type { CacheLinkedTargets, LinkedTargets, LinkedTargetsQuery } from '#server/query/run/linked-target.ts'
import { type ResultCacheDeps, type CacheSubject, type RecordUpdate, createResultCache } from './result-cache.ts'

type TargetsSubject = CacheSubject & { readonly leaf: Leaf }

const MAX_ENTRIES = 100
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Caches the order of the records a field links to: the few hundred names by which a list of a million is sorted.
 * Reloaded when one of them changes, or when a record links to an unknown one.
 */
export function createLinkedTargetCache(deps: ResultCacheDeps): (definitionsVersion: number) => CacheLinkedTargets {
  const keeping = { follow: targetsAfterChange, bytesOf, mostEntries: MAX_ENTRIES, mostBytes: MAX_BYTES }
  const things = createResultCache<TargetsSubject, LinkedTargets>(deps, keeping)
  return (definitionsVersion) => (asked, read) => things.read(targetsSubjectOf(asked, definitionsVersion), read)
}

/**
 * The key of linked targets: without the list's own conditions, with those under which its reader reaches the
 * targets.
 */
function targetsSubjectOf({ collection, order }: LinkedTargetsQuery, definitionsVersion: number): TargetsSubject {
  const all = { collection, where: markChecked(ALL_RECORDS), search: NO_SEARCH }
  const { leaf, named } = order
  return {
    key: identityOf(definitionsVersion, collection.id, leaf, named),
    collection: collection.id,
    reached: new Set([...collectionsRead(all, named), ...(dependsOnUserNames(all, named) ? [PEOPLE] : [])]),
    leaf,
  }
}

/** A target without links does no harm. */
function targetsAfterChange(
  things: LinkedTargets,
  { change }: RecordUpdate,
  { leaf }: TargetsSubject,
): LinkedTargets | undefined {
  if (change.after === null) return things
  const [pointed] = sortKeyOf([{ steps: [], leaf, keyType: 'value', isDescending: false }], change.after, EMPTY_LOOKUP)
  if (pointed === null || pointed === undefined) return things
  return things?.some(({ ids }) => ids.includes(String(pointed))) ? things : undefined
}

const EMPTY_LOOKUP: Lookup = { recordOf: () => undefined, fileNameOf: () => undefined, userNameOf: () => undefined }

const BYTES_PER_TARGET = 200

const bytesOf = (things: LinkedTargets): number => (things?.length ?? 0) * BYTES_PER_TARGET
