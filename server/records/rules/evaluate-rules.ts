import type { Actor } from '#domain/access/actor.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { type CompiledRule, compileRules, isAffected, type Touched } from '#domain/rules/rule-violations.ts'
import type { RuleContext } from '#domain/rules/condition-errors.ts'
import { isMessageVisible, isRuleVisible, type RuleReader } from '#domain/rules/visible-rules.ts'
import type { Rule } from '#domain/rules/rule.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { matchConditions } from '#server/query/run/record-conditions.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { decide } from '#domain/access/decide.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { RuleBody } from '#api/rules.ts'
import { filterByName } from '#domain/query/filter/saved-filter.ts'

type RuleReadContext = { readonly actor: Actor; readonly definitions: Definitions }

export function createRuleReader({ actor, definitions }: RuleReadContext, collection: Collection): RuleReader {
  const collectionOf = (id: string) => (id === collection.id ? collection : definitions.byId.get(id))
  return { collection, collectionOf, decisionFor: (id) => decide(actor, 'records:read', collectionOf(id)) }
}

/**
 * Whether a rule is shown in the definition; managers of the collection see it even if they can't read the collection's
 * fields.
 */
export function isRuleShown(reading: RuleReadContext, collection: Collection, rule: Rule): boolean {
  const reader = createRuleReader(reading, collection)
  const managesIt = decide(reading.actor, 'collections:manage', collection).allowed
  return managesIt ? isRuleVisible(rule, reader) : isMessageVisible(rule, reader)
}

/**
 * Whether a manager can see a transition's condition; it stays hidden if it uses hidden fields of other collections.
 */
export const isConditionShown = (reading: RuleReadContext, collection: Collection, condition: Filter): boolean =>
  isRuleVisible({ when: null, then: condition, field: null }, createRuleReader(reading, collection))

export function showRules(reading: RuleReadContext, collection: Collection): RuleBody[] {
  const world = { collection, collectionOf: (id: string) => reading.definitions.byId.get(id) }
  return (collection.rules ?? [])
    .filter((rule) => isRuleShown(reading, collection, rule))
    .map(({ id, when, then, message, field }) => ({
      id,
      when: when === null ? null : filterByName(when, world),
      then: filterByName(then, world),
      message,
      field: field === null ? null : (fieldById(collection, field)?.name ?? null),
    }))
}

export type RuleCheckContext = {
  readonly transaction: Transaction
  readonly definitions: Definitions
  readonly actor: Actor
  readonly at: string
}

/**
 * Number of records checked per statement; their IDs and all rule values must not exceed SQLite's parameter limit
 * (32,766).
 */
const RECORDS_PER_STATEMENT = 10_000

export const ruleContextOf = (
  { definitions, at }: Pick<RuleCheckContext, 'definitions' | 'at'>,
  collection: Collection,
): RuleContext => ({
  collection,
  collectionOf: (id) => definitions.byId.get(id),
  now: new Date(at),
  workspaceTimeZone: definitions.timeZone,
})

/** The violated rules of each record, as of this write; records without violations are left out. */
export async function findViolations(
  judging: RuleCheckContext,
  collection: Collection,
  touched: ReadonlyMap<RecordId, Touched>,
): Promise<ReadonlyMap<RecordId, readonly Rule[]>> {
  const broken = new Map<RecordId, readonly Rule[]>()
  if (!collection.rules?.length) return broken
  const isTouching = (rule: CompiledRule): boolean => [...touched.values()].some((each) => isAffected(rule, each))
  const requested = compileRules(ruleContextOf(judging, collection)).filter(isTouching)
  if (requested.length === 0) return broken

  const { transaction, definitions } = judging
  const { db: reader, dialect } = transaction
  const scope = { reader, dialect, pendingImports: definitions.pendingImports }
  const conditions = requested.map((rule) => rule.violatingFilter)
  for (const ids of chunkIds([...touched.keys()], RECORDS_PER_STATEMENT)) {
    for (const [id, met] of await matchConditions(scope, collection.id, conditions, ids)) {
      const own = touched.get(id) ?? 'new'
      const rules = met.flatMap((at) => requested[at] ?? []).filter((rule) => isAffected(rule, own))
      if (rules.length > 0)
        broken.set(
          id,
          rules.map(({ rule }) => rule),
        )
    }
  }
  return broken
}

/** A violated rule as shown to the actor: with the owner's text, unless it mentions unreadable fields. */
export function violationProblem(reading: RuleReadContext, collection: Collection, rule: Rule): PartProblem {
  if (!isMessageVisible(rule, createRuleReader(reading, collection))) return HIDDEN_RULE_PROBLEM
  const field = rule.field === null ? undefined : fieldById(collection, rule.field)
  return { path: field?.name ?? '', code: 'rule-broken', message: rule.message }
}

const HIDDEN_RULE_PROBLEM: PartProblem = {
  path: '',
  code: 'rule-broken',
  message: 'These values break a rule that uses values you can’t see. Ask an owner.',
}
