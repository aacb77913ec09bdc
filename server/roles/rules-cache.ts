import type { Grant } from '#domain/access/grant.ts'
import { type AccessRules, grantsOfRoles } from '#domain/access/policy.ts'
import type { ProfileField } from '#domain/access/profile.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { forWhoever } from '#server/database/while-wanted.ts'
import { loadPolicies, loadProfileFields, loadRoles, readAccessVersion } from './roles-store.ts'

/** Roles, policies and what is noted about people, as of one version. */
export type StoredRules = AccessRules & {
  readonly version: number
  readonly profileFields: readonly ProfileField[]
  /** What somebody with these roles is granted; worked out once. */
  readonly grantsOf: (roles: readonly RoleId[]) => readonly Grant[]
}

/**
 * Rules in memory. Every request learns the version that counts with the statement that looks its user up, so a change
 * counts from the next request on, in every process, and nothing has to be told.
 */
export type RulesCache = {
  /** As of this version, or later ones where they changed meanwhile. */
  readonly at: (version: number) => Promise<StoredRules>
  /** As they are now. */
  readonly current: () => Promise<StoredRules>
  /** Exactly those of the transaction. */
  readonly within: (transaction: Transaction) => Promise<StoredRules>
}

/** A cache over one database. */
export function rulesCache({ read }: Pick<Database, 'read'>): RulesCache {
  let known: StoredRules | undefined
  let loading: Promise<StoredRules> | undefined

  const look = async (): Promise<StoredRules> => {
    const found = await load(read)
    if (known === undefined || found.version > known.version) known = found
    return known
  }
  const at = async (version: number): Promise<StoredRules> => {
    while (known === undefined || known.version < version) {
      loading ??= forWhoever(look).finally(() => {
        loading = undefined
      })
      await loading
    }
    return known
  }
  return {
    at,
    current: async () => at(await readAccessVersion(read)),
    within: ({ db }) => load(db),
  }
}

/**
 * Reads everything at one moment: parts of two moments together could grant what was never granted. Inside a write
 * nothing changes, so the second look at the version finds the first.
 */
async function load(db: Reader): Promise<StoredRules> {
  for (;;) {
    const version = await readAccessVersion(db)
    const roles = await loadRoles(db)
    const policies = await loadPolicies(db)
    const profileFields = await loadProfileFields(db)
    if ((await readAccessVersion(db)) === version) return rulesOf(version, { roles, policies, profileFields })
  }
}

type Parts = {
  readonly roles: Awaited<ReturnType<typeof loadRoles>>
  readonly policies: Awaited<ReturnType<typeof loadPolicies>>
  readonly profileFields: readonly ProfileField[]
}

/** The rules made of what is stored. */
function rulesOf(version: number, { roles, policies, profileFields }: Parts): StoredRules {
  const rules: AccessRules = {
    roles: new Map(roles.map((role) => [role.id, role])),
    policies: new Map(policies.map((policy) => [policy.id, policy])),
  }
  const known = new Map<string, readonly Grant[]>()
  const grantsOf = (held: readonly RoleId[]): readonly Grant[] => {
    const key = held.join(' ')
    const grants = known.get(key) ?? grantsOfRoles(rules, held)
    known.set(key, grants)
    return grants
  }
  return { ...rules, version, profileFields, grantsOf }
}
