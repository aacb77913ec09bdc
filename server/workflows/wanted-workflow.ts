import type { WorkflowInput } from '#api/workflows.ts'
import { ownNamesIn } from '#domain/access/profile.ts'
import { OWNER } from '#domain/access/role.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkCondition } from '#domain/query/check-condition.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { no } from '#domain/shared/result.ts'
import { checkWorkflow } from '#domain/workflow/check-workflow.ts'
import { withoutGone } from '#domain/workflow/check-workflow.ts'
import { withoutWorkflow } from '#domain/workflow/without-workflow.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import { loadProfileFields, loadRoles } from '#server/roles/roles-store.ts'

/** What of the workspace a workflow may name. */
export type NamedByWorkflows = { readonly roles: ReadonlySet<RoleId>; readonly ownNames: readonly string[] }

/** What is there for workflows to name, as this write sees it. */
export async function namedByWorkflows({ transaction }: Writing): Promise<NamedByWorkflows> {
  const roles = await loadRoles(transaction.db)
  const fields = await loadProfileFields(transaction.db)
  return {
    roles: new Set([OWNER, ...roles.map(({ id }) => id)]),
    ownNames: ownNamesIn(fields),
  }
}

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
  { roles, ownNames }: NamedByWorkflows,
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
