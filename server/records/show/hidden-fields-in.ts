import type { AllowedDecision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkStoredFilter } from '#domain/query/check/check-filter.ts'
import type { CheckedFilter } from '#domain/query/check/checked-filter.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { conditionHolds } from '#domain/query/list/evaluate-change.ts'
import type { Field } from '#domain/fields/field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { type MatchedConditions, selectMatchingConditions } from '#server/query/run/record-conditions.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type QueryActor, queryContext, scopeOf } from '#server/access/record-access/authorized-query.ts'

export type HiddenFieldsOf = (record: CollectionRecord) => HiddenFields

type ShownRecords = {
  readonly collection: Collection
  readonly decision: AllowedDecision
  readonly fields: readonly Field[]
  readonly areWhole?: boolean
}

/**
 * Which fields are hidden from a reader in each of these records. Runs one statement per page, or none if no field is
 * partly hidden or the records are complete. If a record has changed since it was read, all partly hidden fields are
 * hidden.
 */
export async function hiddenFieldsIn(
  deps: Pick<RecordDeps, 'database'>,
  queryActor: QueryActor,
  { collection, decision, fields, areWhole = false }: ShownRecords,
  records: readonly CollectionRecord[],
): Promise<HiddenFieldsOf> {
  const { hiddenFields, partlyHidden = NONE } = decision
  const partly = fields.filter(({ id }) => partlyHidden.has(id) && !hiddenFields.has(id)).map(({ id }) => id)
  if (partly.length === 0 || records.length === 0) return () => hiddenFields

  const places = new Map<Filter | string, number>()
  const conditions: CheckedFilter[] = []
  const context = queryContext(queryActor, collection, decision)
  const placeOf = new Map<FieldId, number>()
  const placeOfCondition = (condition: Filter): number => {
    const name = JSON.stringify(condition)
    const place = places.get(name) ?? conditions.push(checkStoredFilter(condition, context)) - 1
    places.set(name, place)
    return place
  }
  for (const field of partly) {
    const condition = partlyHidden.get(field) ?? NOWHERE
    // Most fields share the same object, so that few conditions are converted to text.
    const place = places.get(condition) ?? placeOfCondition(condition)
    places.set(condition, place)
    placeOf.set(field, place)
  }

  const described = areWhole ? conditionsByValues(conditions, records) : new Map<RecordId, MatchedConditions>()
  const scope = scopeOf(deps, queryActor.definitions)
  for (const ids of chunkIds(records.map(({ id }) => id).filter((id) => !described.has(id)))) {
    for (const [id, one] of await selectMatchingConditions(scope, collection.id, conditions, ids))
      described.set(id, one)
  }
  return ({ id, version }) => {
    const now = described.get(id)
    const isSame = now?.version === version
    return new Set([...hiddenFields, ...partly.filter((field) => !(isSame && now.holds[placeOf.get(field) ?? -1]))])
  }
}

/** Evaluates the conditions that depend only on the record itself; the others also depend on other records. */
function conditionsByValues(
  conditions: readonly CheckedFilter[],
  records: readonly CollectionRecord[],
): Map<RecordId, MatchedConditions> {
  const described = new Map<RecordId, MatchedConditions>()
  for (const record of records) {
    const holds = conditions.map((condition) => conditionHolds(condition, record))
    if (holds.every((outcome) => outcome !== undefined)) described.set(record.id, { version: record.version, holds })
  }
  return described
}

const NONE: NonNullable<AllowedDecision['partlyHidden']> = new Map()
const NOWHERE = { any: [] }
