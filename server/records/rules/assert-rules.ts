import { sameJson } from '#domain/shared/json.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordChange } from '#domain/query/evaluate-change.ts'
import type { Touched } from '#domain/rules/rule-violations.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { type RuleCheckContext, findViolations, violationProblem } from './evaluate-rules.ts'

/** What a write did to a record of a collection that has rules, and the fields of it that were written unread. */
type WrittenRecord = {
  readonly collection: CollectionId
  readonly change: RecordChange
  readonly unread: readonly FieldId[]
}

/**
 * Refuses a write that leaves a record it touched in breach of a rule: it is undone as a whole. The writing is told in its
 * order.
 */
export async function assertRules(judging: RuleCheckContext, written: readonly WrittenRecord[]): Promise<void> {
  for (const [id, notes] of Map.groupBy(written, ({ collection }) => collection)) {
    const collection = judging.definitions.byId.get(id)
    if (!collection?.rules?.length) continue
    const touched = touchedRecords(notes)
    const broken = await findViolations(judging, collection, touched)
    if (broken.size > 0) throw ruleProblem(judging, collection, { broken, count: touched.size })
  }
}

/**
 * What became of each record in the end. What was changed and changed back was not touched; but what was written unread
 * was: that no rule is asked would tell that it is what it was.
 */
function touchedRecords(written: readonly WrittenRecord[]): ReadonlyMap<RecordId, Touched> {
  const touched = new Map<RecordId, Touched>()
  for (const [id, all] of Map.groupBy(written, ({ change }) => change.after?.id ?? change.before?.id ?? '')) {
    const [before, after] = [all[0]?.change.before ?? null, all.at(-1)?.change.after ?? null]
    if (after === null) continue
    const unread = all.flatMap((one) => one.unread)
    const fields = before === null ? 'new' : new Set([...changedFieldIds(before.values, after.values), ...unread])
    if (fields === 'new' || fields.size > 0) touched.set(id, fields)
  }
  return touched
}

type Values = NonNullable<RecordChange['after']>['values']

const changedFieldIds = (before: Values, after: Values): readonly FieldId[] =>
  Object.keys(after).filter((field) => !sameJson(before[field] ?? null, after[field] ?? null))

type RuleBreach = { readonly broken: Awaited<ReturnType<typeof findViolations>>; readonly count: number }

function ruleProblem(judging: RuleCheckContext, collection: Collection, { broken, count }: RuleBreach): Problem {
  const rules = new Set([...broken.values()].flat())
  const told = new Map<string, PartProblem>()
  for (const rule of rules) {
    const problem = violationProblem(judging, collection, rule)
    told.set(`${problem.path} ${problem.message}`, problem)
  }
  const errors = [...told.values()]
  const [first] = errors
  const where = count > 1 ? ` ${broken.size.toLocaleString('en')} of ${count.toLocaleString('en')} records:` : ''
  const more = errors.length > 1 ? ` ${errors.length - 1} more below.` : ''
  const byReason = Map.groupBy(broken, ([, [rule]]) =>
    rule ? violationProblem(judging, collection, rule).message : '',
  )
  const refused = [...byReason].map(([message, all]) => ({ message, records: all.map(([id]) => id) }))
  return new Problem('rule-broken', `Nothing was saved.${where} ${first?.message ?? ''}${more}`, { errors, refused })
}
