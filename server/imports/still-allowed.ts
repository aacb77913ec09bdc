import type { Actor } from '#domain/access/actor.ts'
import { decide, holdsEverywhere } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import { Problem } from '#domain/shared/problem.ts'
import { actorNow } from '#server/roles/actor-now.ts'
import type { ImportNeeds } from './import-needs.ts'
import type { StartedImport } from './started-import.ts'

/** Refuses to show or change anything for whoever may not import like this any more; nothing of the import stays. */
export async function refuseWithoutRights(needs: ImportNeeds, started: StartedImport): Promise<void> {
  const actor = await actorNow(needs, started.actor)
  if (actor && mayStill(actor, started)) return
  throw new Problem('import-failed', 'Whoever began this import may not do it any more.')
}

function mayStill(actor: Actor, { item, plan }: StartedImport): boolean {
  if (item.madeCollection) return holdsEverywhere(actor, 'collections:manage')
  const asked: readonly Permission[] = plan.key
    ? ['records:import', 'records:read', 'records:update']
    : ['records:import']
  return asked.every((permission) => {
    const decision = decide(actor, permission, plan.collection)
    if (!decision.allowed || decision.where) return false
    return plan.columns.every(({ field }) => !decision.hiddenFields.has(field) && !decision.partlyHidden?.has(field))
  })
}
