import { savedGrantFault } from '#domain/access/check-policy.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { loadPolicies } from './roles-store.ts'

/** Saved grants that have less effect than they say, each as a sentence: see `countedGrant`. */
export async function faultyGrants(
  db: Reader,
  definitions: ReadonlyMap<CollectionId, Collection>,
): Promise<readonly string[]> {
  const policies = await loadPolicies(db)
  return policies.flatMap(({ name, grants }) =>
    grants.flatMap((grant) => {
      const fault = savedGrantFault(grant, (id) => definitions.get(id))
      return fault === undefined ? [] : [`A condition of the policy “${name}” matches nothing. ${fault}`]
    }),
  )
}
