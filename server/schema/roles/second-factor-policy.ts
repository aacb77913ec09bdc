import { type Actor, userIdOf } from '#domain/access/actor.ts'
import {
  includesSecondFactor,
  printSecondFactorPolicy,
  requiresSecondFactor,
  type SecondFactorPolicy,
} from '#domain/sessions/second-factors.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { methodsOfSession } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { RolesDeps } from '#server/access/rights/roles-deps.ts'
import { incrementAccessVersion, storeSecondFactorPolicy } from '#server/access/rights/roles-store.ts'
import type { StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import { type AuditActor, ACCESS_LOCK } from '#server/schema/roles/save-role.ts'

export async function readSecondFactorPolicy({ rules }: Pick<RolesDeps, 'rules'>): Promise<SecondFactorPolicy> {
  const { secondFactor, roles } = await rules.current()
  return { ...secondFactor, roles: secondFactor.roles.filter((role) => roles.has(role)) }
}

export function changeSecondFactorPolicy(
  deps: RolesDeps,
  { actor, address }: AuditActor,
  wanted: SecondFactorPolicy,
): Promise<SecondFactorPolicy> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    requireKnownRoles(wanted, rules)
    const policy = { everyone: wanted.everyone, roles: wanted.everyone ? [] : [...new Set(wanted.roles)] }
    await requireOwnFactor(actor, policy, (session) => methodsOfSession(transaction.db, session))
    const nameOf = (role: string) => rules.roles.get(role)?.name
    const [before, after] = [rules.secondFactor, policy].map((one) => printSecondFactorPolicy(one, nameOf))
    if (before === undefined || after === undefined || before === after) return policy
    await storeSecondFactorPolicy(transaction, policy)
    await incrementAccessVersion(transaction)
    const details = { before, after }
    await writeAudit(transaction.db, deps, {
      kind: 'second-factor-policy-changed',
      userId: userIdOf(actor),
      address,
      details,
    })
    return policy
  }, ACCESS_LOCK)
}

function requireKnownRoles({ roles }: SecondFactorPolicy, rules: StoredAccessRules): void {
  const errors = roles.flatMap((role, at) =>
    rules.roles.has(role) ? [] : [{ path: `roles.${at}`, code: 'unknown', message: 'Role not found.' }],
  )
  if (errors.length > 0)
    throw new Problem('values-invalid', 'One of the roles doesn’t exist. Nothing was saved.', { errors })
}

/** Owners who require a second factor have used one, so they cannot lock themselves out. */
async function requireOwnFactor(
  actor: Actor,
  policy: SecondFactorPolicy,
  methodsOf: (session: string) => Promise<readonly string[] | undefined>,
): Promise<void> {
  if (actor.type !== 'user' || !requiresSecondFactor(policy, actor.roles ?? [])) return
  const methods = actor.sessionId === null ? [] : ((await methodsOf(actor.sessionId)) ?? [])
  if (includesSecondFactor(methods)) return
  throw new Problem('values-invalid', 'Set up a second factor for your own account and sign in with it first.')
}
