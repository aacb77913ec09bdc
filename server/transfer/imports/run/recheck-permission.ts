import type { Actor } from '#domain/access/actor.ts'
import { decide, holdsEverywhere } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { currentActor } from '#server/access/rights/current-actor.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'

/**
 * Whoever imports, with what they hold at this moment. Nothing is shown or changed for whoever may not import like this
 * any more; nothing of the import stays.
 */
export async function currentImporter(needs: ImportDeps, started: StartedImport): Promise<Actor> {
  const actor = await currentActor(needs, started.actor)
  if (actor && mayStillImport(actor, started)) return actor
  throw new Problem('import-failed', 'The user who started this import no longer has permission.')
}

function mayStillImport(actor: Actor, { item, plan }: StartedImport): boolean {
  if (item.madeCollection) return holdsEverywhere(actor, 'collections:manage')
  const asked: readonly Permission[] = plan.key
    ? ['records:import', 'records:read', 'records:update']
    : ['records:import']
  return asked.every((permission) => {
    const decision = decide(actor, permission, plan.collection)
    if (!decision.allowed || decision.where) return false
    // What may be changed in some records only is judged row by row; a key must be there in all of them.
    const isWhole = (field: FieldId): boolean =>
      (permission !== 'records:import' && field !== plan.key?.field) || decision.partlyHidden?.has(field) !== true
    return plan.columns.every(({ field }) => !decision.hiddenFields.has(field) && isWhole(field))
  })
}
