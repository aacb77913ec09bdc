import { collectionsRead, type Membership, dependsOnUserNames } from '#domain/query/list/evaluate-change.ts'
import { type CheckedRecordsQuery, identityOf } from '#domain/query/list/records-query.ts'
import type { SortPart } from '#domain/query/list/sort.ts'
import { PEOPLE } from '#server/platform/events/change-feed.ts'
import type { CacheSubject } from './result-cache.ts'
import type { QueryScope } from '#server/query/run/run-records-query.ts'

export type Listing = {
  readonly scope: QueryScope
  readonly query: CheckedRecordsQuery
  /** The definitions version of the checked query; cached values are only valid for this version. */
  readonly definitionsVersion: number
}

export type ListSubject = CacheSubject & { readonly list: Membership }

/**
 * The cache key for data derived from a list. In a checked query, grants, hidden fields, `@me` and `@today` are already
 * resolved, so its text identifies the result.
 */
export function cacheSubjectOf(
  { query, definitionsVersion }: Listing,
  parts: readonly SortPart[] = [],
  ...more: readonly unknown[]
): ListSubject {
  const { collection, where, search } = query
  return {
    key: identityOf(definitionsVersion, collection.id, where, search, parts, ...more),
    collection: collection.id,
    reached: new Set([...collectionsRead(query, parts), ...(dependsOnUserNames(query, parts) ? [PEOPLE] : [])]),
    list: { collection, where, search },
  }
}
