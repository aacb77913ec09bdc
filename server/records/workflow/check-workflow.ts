import { unreadableFields } from '#domain/access/decide.ts'
import type { WorkflowInput } from '#api/workflows.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkCondition } from '#domain/query/check/check-condition.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { conditionFault, sameCondition } from '#domain/rules/condition-errors.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { checkWorkflow, withoutRemoved, withoutWorkflow } from '#domain/workflow/check-workflow.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { KnownNames } from '#server/access/rights/rights.ts'
import { createRuleReader, isConditionShown, ruleContextOf } from '#server/records/rules/evaluate-rules.ts'

export function withoutStaleWorkflow(collection: Collection): Collection {
  const fitting = collection.workflow && withoutRemoved(collection.workflow, collection)
  return fitting ? { ...collection, workflow: fitting } : withoutWorkflow(collection)
}

export function withWorkflow(
  writing: Writing,
  collection: Collection,
  wanted: WorkflowInput | null,
  { roles, ownNames }: KnownNames,
): Collection {
  if (wanted === null) return withoutWorkflow(collection)
  const unread = unreadableFields(writing.actor, collection)
  const checked = checkWorkflow(wanted, {
    collection,
    newId: writing.newId,
    knownRoles: roles,
    known: collection.workflow,
    checkCondition: createConditionCheck(writing, collection, ownNames),
    canRead: (field) => !unread.has(field),
  })
  if (checked.ok) return { ...collection, workflow: checked.value }
  const errors = checked.fault.map(({ path, ...rest }) => ({ path: `workflow.${path}`, ...rest }))
  throw new Problem('definition-invalid', `Nothing was saved. ${checked.fault[0]?.message ?? ''}`, { errors })
}

/**
 * Checks the conditions of transitions. Hidden conditions are kept, and unchanged conditions may use unreadable fields.
 */
function createConditionCheck(writing: Writing, collection: Collection, ownNames: readonly string[]) {
  const world = { ...ruleContextOf(writing, collection), ...createRuleReader(writing, collection) }
  return (condition: string | Filter | null, known: Filter | null): Result<Filter | null, string> => {
    if (condition === null) return ok(known !== null && !isConditionShown(writing, collection, known) ? known : null)
    if (known !== null && sameCondition(condition, known, world)) return ok(known)
    const fault = conditionFault(condition, world)
    if (fault) return fail(fault.message)
    const kept = checkCondition(condition, { ...world, attributeNames: ownNames })
    return kept.ok ? kept : fail(kept.fault.message)
  }
}
