import { type Actor, userIdOf, isOwner } from '#domain/access/actor.ts'
import {
  includesSecondFactor,
  printSecondFactorPolicy,
  requiresSecondFactor,
  type SecondFactorPolicy,
} from '#domain/sessions/second-factors.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { methodsOfSession } from '#server/identity/reauthentication/require-reauthentication.ts'
import type { RolesDeps, StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import { incrementAccessVersion, storeSecondFactorPolicy } from '#server/access/rights/roles-store.ts'
import { ACCESS_LOCK } from './save-role.ts'
import { findTimeZone } from '#domain/shared/time.ts'
import { commitDefinition, type WriteDeps } from '#server/records/changes/commit-change.ts'
import { storeTimeZone } from '#server/query/definitions/workspace-time-zone.ts'
import { assertExamplesHold } from '#server/access/explain/check-examples.ts'

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

/** Owners must have used a second factor themselves before requiring one, so that they can't lock themselves out. */
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

export type TimeZoneDeps = RolesDeps & Pick<WriteDeps, 'announce' | 'feed'>

/** Changes the time zone in which grants, rules and transition conditions are evaluated. */
export async function changeTimeZone(
  deps: TimeZoneDeps,
  { actor, address }: AuditActor,
  wanted: string,
): Promise<string> {
  if (!isOwner(actor)) {
    throw new Problem('forbidden', 'Grants depend on the workspace time zone. Ask an owner to change it.')
  }
  const after = findTimeZone(wanted)
  if (after === undefined) throw unknownZone(wanted)
  return commitDefinition(deps, actor, async ({ transaction, definitions }) => {
    const before = definitions.timeZone
    if (before === after) return { answer: after, changes: [], events: [] }
    await storeTimeZone(transaction, after)
    await assertExamplesHold(deps, actor, transaction, { rules: await deps.rules.within(transaction) })
    const details = { before, after }
    await writeAudit(transaction.db, deps, { kind: 'time-zone-changed', userId: userIdOf(actor), address, details })
    return { answer: after, changes: [], events: [{ type: 'definitions-changed' }] }
  })
}

const unknownZone = (wanted: string): Problem => {
  const message = `“${wanted}” isn’t a time zone. Use an IANA name such as Europe/Vienna.`
  return new Problem('definition-invalid', `Nothing was saved. ${message}`, {
    errors: [{ path: 'timeZone', code: 'time-zone-unknown', message }],
  })
}
