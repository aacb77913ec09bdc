import type { Collection } from '#domain/collections/collection.ts'
import { type RuleDraft, checkRules, faultInRule } from '#domain/rules/check-rules.ts'
import type { Rule } from '#domain/rules/rule.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { createRuleReader, isRuleShown, ruleContextOf } from '#server/records/rules/evaluate-rules.ts'

/** The new rules of a collection, or the problem that lists all errors. Rules hidden from the manager are kept. */
export function checkedRules(writing: Writing, collection: Collection, drafts: readonly RuleDraft[]): readonly Rule[] {
  const world = ruleContextOf(writing, collection)
  const [known = [], unseen = []] = [true, false].map((isShown) =>
    (collection.rules ?? []).filter((rule) => isRuleShown(writing, collection, rule) === isShown),
  )
  const { decisionFor } = createRuleReader(writing, collection)
  const checked = checkRules(drafts, { ...world, decisionFor, newId: writing.newId, known })
  if (checked.ok) return [...checked.value, ...unseen]
  const [first] = checked.fault
  throw new Problem('definition-invalid', `The validation rules were not saved. ${first?.message ?? ''}`, {
    errors: checked.fault,
  })
}

/** Rejects a definition change that would break a rule, so that no guarantee is lost as a side effect. */
export function assertRulesStillFit(writing: Writing, after: Collection): void {
  const { definitions } = writing
  const others = definitions.list.filter(({ id }) => id !== after.id)
  for (const collection of [after, ...others]) {
    const collectionOf = (id: string) => (id === after.id ? after : definitions.byId.get(id))
    const world = { ...ruleContextOf(writing, collection), collectionOf }
    for (const rule of collection.rules ?? []) {
      const fault = faultInRule(rule, world)
      if (fault === undefined) continue
      const message = isRuleShown(writing, collection, rule)
        ? `The validation rule “${rule.message}” in ${collection.label} would no longer work. Edit or delete it first.`
        : 'A validation rule in another collection would no longer work. Ask an owner.'
      throw new Problem('in-use', `Nothing was changed. ${message}`, {
        errors: [{ path: 'rules', code: 'in-use', message }],
      })
    }
  }
}
