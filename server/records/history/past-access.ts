import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { storesSame } from '#domain/collections/undone-definition.ts'
import type { Field } from '#domain/fields/field.ts'
import { checkStoredFilter } from '#domain/query/check/check-filter.ts'
import { conditionHolds, isMember } from '#domain/query/list/evaluate-change.ts'
import { everythingVisible } from '#domain/query/list/records-query.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { type QueryActor, queryContext } from '#server/access/record-access/authorized-query.ts'
import type { FormerDefinition } from '#server/records/changes/definition-store.ts'

/** The definition when a log entry was written; undefined if it has not changed since. */
export const definitionOf = (former: readonly FormerDefinition[], entry: string): Collection | undefined =>
  former.find(({ until }) => until > entry)?.definition

/** The collection with only those fields whose stored values have the same kind as then. */
export function unchangedPart(collection: Collection, then: Collection | undefined): Collection {
  if (!then) return collection
  const isSame = (field: Field): boolean => storesSame(then.fields.find(({ id }) => id === field.id) ?? field, field)
  return { ...collection, fields: collection.fields.filter(isSame) }
}

/** The collection with only those fields whose stored values have had the same kind since a log entry was written. */
export const unchangedSince = (
  collection: Collection,
  former: readonly FormerDefinition[],
  entry: string,
): Collection =>
  former.reduce((part, { until, definition }) => (until > entry ? unchangedPart(part, definition) : part), collection)

/**
 * Whether a decision covered a record as it was. If that depends on other records, which may have changed since, or on
 * fields that aren't in `part`, the record counts as not covered.
 */
export const wasCovered = (
  queryActor: QueryActor,
  part: Collection,
  decision: AllowedDecision,
  past: PastRecord,
): boolean =>
  decision.where === undefined ||
  timesOf(queryActor, past).every(
    (then) => isMember(everythingVisible(queryContext(then, part, decision)), past.record) === true,
  )

/** A record as it was at a time. */
export type PastRecord = { readonly record: CollectionRecord; readonly at: string }

/** Conditions on the current time must hold today as well as then. */
const timesOf = (queryActor: QueryActor, { at }: PastRecord): readonly QueryActor[] => [
  queryActor,
  { ...queryActor, now: new Date(at) },
]

/** Whether the actor could read a record as it was, and has one of these permissions for it. */
export function isPermitted(
  queryActor: QueryActor,
  part: Collection,
  past: PastRecord,
  permissions: readonly Permission[],
): boolean {
  const covers = (permission: Permission): boolean => {
    const decision = decide(queryActor.actor, permission, part)
    return decision.allowed && wasCovered(queryActor, part, decision, past)
  }
  return covers('records:read') && permissions.some(covers)
}

/** The fields that a decision made readable in a record as it was, judged by its values alone. */
export function readableByValues(
  queryActor: QueryActor,
  part: Collection,
  decision: AllowedDecision,
  past: PastRecord,
): (field: FieldId) => boolean {
  if (!wasCovered(queryActor, part, decision, past)) return () => false
  const contexts = timesOf(queryActor, past).map((then) => queryContext(then, part, decision))
  return (field) => {
    if (decision.hiddenFields.has(field)) return false
    const condition = decision.partlyHidden?.get(field)
    if (condition === undefined) return true
    return contexts.every((context) => conditionHolds(checkStoredFilter(condition, context), past.record) === true)
  }
}
