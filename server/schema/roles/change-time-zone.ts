import { isOwner, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { findTimeZone } from '#domain/shared/time.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { commitDefinition, type WriteDeps } from '#server/records/changes/commit-change.ts'
import { storeTimeZone } from '#server/query/definitions/workspace-time-zone.ts'
import { assertExamplesHold } from '#server/access/explain/check-examples.ts'
import type { RolesDeps } from '#server/access/rights/roles-deps.ts'
import type { AuditActor } from '#server/schema/roles/save-role.ts'

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
