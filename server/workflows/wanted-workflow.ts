import type { WorkflowInput } from '#api/workflows.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkCondition } from '#domain/query/check-condition.ts'
import type { Filter } from '#domain/query/filter.ts'
import { Problem } from '#domain/shared/problem.ts'
import { mayBeShown, mayBeTold } from '#domain/rules/may-be-told.ts'
import { REACHES_FAR } from '#domain/rules/check-rules.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { no, ok } from '#domain/shared/result.ts'
import { checkWorkflow } from '#domain/workflow/check-workflow.ts'
import { withoutGone } from '#domain/workflow/check-workflow.ts'
import { withoutWorkflow } from '#domain/workflow/without-workflow.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import type { KnownNames } from '#server/roles/known-names.ts'
import { ruleReader } from '#server/rules/rule-reader.ts'

/** A changed collection whose workflow names nothing of it that went away. */
export function withFittingWorkflow(collection: Collection): Collection {
  const fitting = collection.workflow && withoutGone(collection.workflow, collection)
  return fitting ? { ...collection, workflow: fitting } : withoutWorkflow(collection)
}

/** A collection with the workflow it is asked to have, or with none; the problem when it does not fit. */
export function withWorkflow(
  { definitions, newId, actor }: Pick<Writing, 'definitions' | 'newId' | 'actor'>,
  collection: Collection,
  wanted: WorkflowInput | null,
  { roles, ownNames }: KnownNames,
): Collection {
  if (wanted === null) return withoutWorkflow(collection)
  const world = { collection, collectionOf: (id: string) => definitions.byId.get(id), ownNames }
  const reader = ruleReader({ actor, definitions }, collection)
  const checked = checkWorkflow(wanted, {
    collection,
    newId,
    knownRoles: roles,
    keep: (condition, id) => {
      const stored = collection.workflow?.transitions.find((transition) => transition.id === id)?.when ?? null
      // What its author is not shown stays, and what was there and is left alone may name more than they read.
      if (condition === null)
        return ok(stored && !mayBeShown({ when: null, then: stored, field: null }, reader) ? stored : null)
      const known = checkCondition(condition, world)
      if (known.ok && stored && sameJson(asJson(known.value), asJson(stored))) return known
      const kept = checkCondition(condition, { ...world, decisionFor: reader.decisionFor })
      if (!kept.ok) return no(kept.fault.message)
      // Whom a move is open to tells of all that its condition names.
      return mayBeTold({ when: null, then: kept.value, field: null }, reader) ? kept : no(REACHES_FAR)
    },
  })
  if (checked.ok) return { ...collection, workflow: checked.value }
  const errors = checked.fault.map(({ path, ...rest }) => ({ path: `workflow.${path}`, ...rest }))
  throw new Problem('definition-invalid', `Nothing was saved. ${checked.fault[0]?.message ?? ''}`, { errors })
}

/** A filter is plain data; the type only forgets it. */
const asJson = (filter: Filter): Json => JSON.parse(JSON.stringify(filter))
