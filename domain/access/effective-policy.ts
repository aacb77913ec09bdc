import type { Collection } from '#domain/collections/collection.ts'
import type { PathContext } from '#domain/query/saved-filter.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { ANY_COLLECTION } from './check-policy.ts'
import type { Grant } from './grant.ts'
import { effectiveGrant, grantFault } from './grant-inputs.ts'
import type { Policy } from './policy.ts'

type CollectionOf = (id: CollectionId) => Collection | undefined

/** A policy with every grant as it counts. */
export const effectivePolicy = (policy: Policy, collectionOf: CollectionOf): Policy => ({
  ...policy,
  grants: policy.grants.map((grant) => {
    const context = pathContextOf(grant, collectionOf)
    return context ? effectiveGrant(grant, context) : grant
  }),
})

/** Why a saved grant counts less than it says, in a sentence; undefined where it counts as it is. */
export function savedGrantFault(grant: Grant, collectionOf: CollectionOf): string | undefined {
  const context = pathContextOf(grant, collectionOf)
  return context && grantFault(grant, context)
}

/** A grant of a deleted collection has no path context. */
function pathContextOf({ collection: id }: Grant, collectionOf: CollectionOf): PathContext | undefined {
  const collection = id === null ? ANY_COLLECTION : collectionOf(id)
  return collection && { collection, collectionOf }
}
