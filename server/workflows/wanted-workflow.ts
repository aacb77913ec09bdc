import type { WorkflowInput } from '#api/workflows.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkCondition } from '#domain/query/check-condition.ts'
import { Problem } from '#domain/shared/problem.ts'
import { no } from '#domain/shared/result.ts'
import { checkWorkflow } from '#domain/workflow/check-workflow.ts'
import { withoutGone } from '#domain/workflow/check-workflow.ts'
import { withoutWorkflow } from '#domain/workflow/without-workflow.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import type { KnownNames } from '#server/roles/known-names.ts'

/** A changed collection whose workflow names nothing of it that went away. */
export function withFittingWorkflow(collection: Collection): Collection {
  const fitting = collection.workflow && withoutGone(collection.workflow, collection)
  return fitting ? { ...collection, workflow: fitting } : withoutWorkflow(collection)
}

/** A collection with the workflow it is asked to have, or with none; the problem when it does not fit. */
export function withWorkflow(
  { definitions, newId }: Pick<Writing, 'definitions' | 'newId'>,
  collection: Collection,
  wanted: WorkflowInput | null,
  { roles, ownNames }: KnownNames,
): Collection {
  if (wanted === null) return withoutWorkflow(collection)
  const world = { collection, collectionOf: (id: string) => definitions.byId.get(id), ownNames }
  const checked = checkWorkflow(wanted, {
    collection,
    newId,
    knownRoles: roles,
    keep: (condition) => {
      const kept = checkCondition(condition, world)
      return kept.ok ? kept : no(kept.fault.message)
    },
  })
  if (checked.ok) return { ...collection, workflow: checked.value }
  const errors = checked.fault.map(({ path, ...rest }) => ({ path: `workflow.${path}`, ...rest }))
  throw new Problem('definition-invalid', `Nothing was saved. ${checked.fault[0]?.message ?? ''}`, { errors })
}
