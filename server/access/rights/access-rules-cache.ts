import { effectivePolicy, savedGrantFault } from '#domain/access/check-policy.ts'
import type { Grant } from '#domain/access/grant.ts'
import { type AccessRules, grantsOfRoles, type Policy } from '#domain/access/policy.ts'
import type { UserAttribute } from '#domain/access/user.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { SecondFactorPolicy } from '#domain/sessions/second-factors.ts'
import type { CollectionId, PolicyId, RoleId, IdGenerator } from '#domain/shared/ids.ts'
import { withoutCancellation } from '#server/platform/database/cancellation.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import { collectionsById, type DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import {
  loadPolicies,
  loadRoles,
  loadSecondFactorPolicy,
  loadUserAttributes,
  readAccessVersion,
} from './roles-store.ts'
import type { Clock } from '#domain/shared/time.ts'

/**
 * Roles, policies and user attributes at one version. `policies` contains the effective policies: see `countedGrant`.
 */
export type StoredAccessRules = AccessRules & {
  readonly version: number
  readonly saved: ReadonlyMap<PolicyId, Policy>
  readonly counted: (policy: Policy) => Policy
  readonly profileFields: readonly UserAttribute[]
  readonly secondFactor: SecondFactorPolicy
  readonly grantsOf: (roles: readonly RoleId[]) => readonly Grant[]
}

/**
 * In-memory access rules. Each request reads the current version along with its user, so changes take effect in every
 * process with the next request, without notifications.
 */
export type AccessRulesCache = {
  readonly at: (version: number) => Promise<StoredAccessRules>
  readonly current: () => Promise<StoredAccessRules>
  readonly within: (transaction: Transaction) => Promise<StoredAccessRules>
}

export function createAccessRulesCache({ read }: Pick<Database, 'read'>): AccessRulesCache {
  let known: StoredAccessRules | undefined
  let loading: Promise<StoredAccessRules> | undefined

  const look = async (): Promise<StoredAccessRules> => {
    const found = await loadAccessRules(read)
    if (known === undefined || found.version > known.version) known = found
    return known
  }
  const at = async (version: number): Promise<StoredAccessRules> => {
    while (known === undefined || known.version < version) {
      loading ??= withoutCancellation(look).finally(() => {
        loading = undefined
      })
      await loading
    }
    return known
  }
  return {
    at,
    current: async () => at(await readAccessVersion(read)),
    within: ({ db }) => loadAccessRules(db),
  }
}

/**
 * Reads everything at one version: mixing two versions could grant permissions that never existed. Within a write
 * transaction, the second version check always succeeds.
 */
export async function loadAccessRules(db: Reader): Promise<StoredAccessRules> {
  for (;;) {
    const version = await readAccessVersion(db)
    const roles = await loadRoles(db)
    const policies = await loadPolicies(db)
    const profileFields = await loadUserAttributes(db)
    const secondFactor = await loadSecondFactorPolicy(db)
    // Any later version of the definitions is valid, because the type of a field used in a condition can't change.
    const collections = policies.some(hasCondition) ? await collectionsById(db) : new Map<CollectionId, Collection>()
    if ((await readAccessVersion(db)) === version)
      return rulesOf(version, { roles, policies, profileFields, secondFactor, collections })
  }
}

type Parts = {
  readonly roles: Awaited<ReturnType<typeof loadRoles>>
  readonly policies: Awaited<ReturnType<typeof loadPolicies>>
  readonly profileFields: readonly UserAttribute[]
  readonly secondFactor: SecondFactorPolicy
  readonly collections: ReadonlyMap<CollectionId, Collection>
}

const hasCondition = ({ grants }: Policy): boolean =>
  grants.some(({ where, presets }) => where !== undefined || presets !== undefined)

function rulesOf(version: number, { roles, policies, collections, ...rest }: Parts): StoredAccessRules {
  const counted = (policy: Policy): Policy => effectivePolicy(policy, (id) => collections.get(id))
  const rules: AccessRules = {
    roles: new Map(roles.map((role) => [role.id, role])),
    policies: new Map(policies.map((policy) => [policy.id, counted(policy)])),
  }
  const saved = new Map(policies.map((policy) => [policy.id, policy]))
  const known = new Map<string, readonly Grant[]>()
  const grantsOf = (held: readonly RoleId[]): readonly Grant[] => {
    const key = held.join(' ')
    const grants = known.get(key) ?? grantsOfRoles(rules, held)
    known.set(key, grants)
    return grants
  }
  return { ...rules, ...rest, version, saved, counted, grantsOf }
}

/** Saved grants that have less effect than their text implies, each as a message: see `countedGrant`. */
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

export type RolesDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly rules: AccessRulesCache
  readonly clock: Clock
  readonly newId: IdGenerator
}
