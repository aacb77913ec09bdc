import type { Actor } from '#domain/access/actor.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { type ReadyRule, type Touched, isAsked, readyRules } from '#domain/rules/broken-rules.ts'
import type { RuleWorld } from '#domain/rules/fault-to-reader.ts'
import { mayBeTold } from '#domain/rules/may-be-told.ts'
import type { Rule } from '#domain/rules/rule.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import type { Transaction } from '#server/database/database.ts'
import { findMeeting } from '#server/query/find-meeting.ts'
import { inParts } from '#server/records/in-parts.ts'
import { type Reading, ruleReader } from './rule-reader.ts'

/** A write as rules see it. */
export type Judging = {
  readonly transaction: Transaction
  readonly definitions: Definitions
  readonly actor: Actor
  readonly at: string
}

/** Records judged by one statement: their ids and all values of the rules stay below what SQLite binds (32,766). */
const RECORDS_A_STATEMENT = 10_000

/** What the rules of a collection are read by at an instant. */
export const ruleWorld = (
  { definitions, at }: Pick<Judging, 'definitions' | 'at'>,
  collection: Collection,
): RuleWorld => ({
  collection,
  collectionOf: (id) => definitions.byId.get(id),
  now: new Date(at),
  workspaceTimeZone: definitions.timeZone,
})

/** The rules each of these records breaks now, as it stands inside the write; those that break none are not there. */
export async function brokenIn(
  judging: Judging,
  collection: Collection,
  touched: ReadonlyMap<RecordId, Touched>,
): Promise<ReadonlyMap<RecordId, readonly Rule[]>> {
  const broken = new Map<RecordId, readonly Rule[]>()
  if (!collection.rules?.length) return broken
  const isTouching = (rule: ReadyRule): boolean => [...touched.values()].some((each) => isAsked(rule, each))
  const asked = readyRules(ruleWorld(judging, collection)).filter(isTouching)
  if (asked.length === 0) return broken

  const { transaction, definitions } = judging
  const { db: reader, dialect } = transaction
  const scope = { reader, dialect, pendingImports: definitions.pendingImports }
  const conditions = asked.map((rule) => rule.broken)
  for (const ids of inParts([...touched.keys()], RECORDS_A_STATEMENT)) {
    for (const [id, met] of await findMeeting(scope, collection.id, conditions, ids)) {
      const own = touched.get(id) ?? 'new'
      const rules = met.flatMap((at) => asked[at] ?? []).filter((rule) => isAsked(rule, own))
      if (rules.length > 0)
        broken.set(
          id,
          rules.map(({ rule }) => rule),
        )
    }
  }
  return broken
}

/** A broken rule as its actor is told: in the owner's words, unless these speak of what they may not read. */
export function toldTo(reading: Reading, collection: Collection, rule: Rule): PartProblem {
  if (!mayBeTold(rule, ruleReader(reading, collection))) return OUT_OF_SIGHT
  const field = rule.field === null ? undefined : fieldById(collection, rule.field)
  return { path: field?.name ?? '', code: 'rule-broken', message: rule.message }
}

const OUT_OF_SIGHT: PartProblem = {
  path: '',
  code: 'rule-broken',
  message: 'These values break a rule that speaks of more than you can see. Ask an owner.',
}
