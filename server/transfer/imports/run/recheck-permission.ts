import type { Actor } from '#domain/access/actor.ts'
import { decide, hasPermissionEverywhere } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { currentActor } from '#server/identity/users/current-actor.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'

/** Rechecks permissions; if they were revoked, the import stops and is undone. */
export async function currentImporter(deps: ImportDeps, started: StartedImport): Promise<Actor> {
  const actor = await currentActor(deps, started.actor)
  if (actor && mayStillImport(actor, started)) return actor
  throw new Problem('import-failed', 'The user who started this import no longer has permission.')
}

function mayStillImport(actor: Actor, { item, plan }: StartedImport): boolean {
  if (item.madeCollection) return hasPermissionEverywhere(actor, 'collections:manage')
  const requested: readonly Permission[] = plan.key
    ? ['records:import', 'records:read', 'records:update']
    : ['records:import']
  return requested.every((permission) => {
    const decision = decide(actor, permission, plan.collection)
    if (!decision.allowed || decision.where) return false
    // Partly hidden fields are checked per row; the key must be visible in all records.
    const isWhole = (field: FieldId): boolean =>
      (permission !== 'records:import' && field !== plan.key?.field) || decision.partlyHidden?.has(field) !== true
    return plan.columns.every(({ field }) => !decision.hiddenFields.has(field) && isWhole(field))
  })
}
