import type { AllowedDecision } from '#domain/access/narrow-decision.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkRule } from '#domain/query/check-filter.ts'
import type { CheckedFilter } from '#domain/query/checked-filter.ts'
import { judgeCondition } from '#domain/query/judge-change.ts'
import type { Field } from '#domain/fields/field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { type Described, selectDescribed } from '#server/query/select-described.ts'
import { inParts } from './in-parts.ts'
import type { RecordNeeds } from './record-needs.ts'
import { type Asker, queryContext, scopeOf } from './records-query.ts'

/** Says which fields are not there for a reader in a record. */
export type HiddenIn = (record: CollectionRecord) => HiddenFields

/** A collection, what its reader may see of it, and the fields that are to be shown. */
type Shown = {
  readonly collection: Collection
  readonly decision: AllowedDecision
  readonly fields: readonly Field[]
  /** Whether the records hold all their values, not only those of the fields. */
  readonly areWhole?: boolean
}

/**
 * Which fields are not there for a reader in each of these records: one statement for a page of them, and none where no
 * field is partly hidden or where whole records tell by themselves. A record that somebody changed since it was read may
 * have become one in which they are hidden, so all of them are then.
 */
export async function hiddenIn(
  needs: Pick<RecordNeeds, 'database'>,
  asker: Asker,
  { collection, decision, fields, areWhole = false }: Shown,
  records: readonly CollectionRecord[],
): Promise<HiddenIn> {
  const { hiddenFields, partlyHidden = NONE } = decision
  const partly = fields.filter(({ id }) => partlyHidden.has(id) && !hiddenFields.has(id)).map(({ id }) => id)
  if (partly.length === 0 || records.length === 0) return () => hiddenFields

  const places = new Map<string, number>()
  const conditions: CheckedFilter[] = []
  const context = queryContext(asker, collection, decision)
  const placeOf = new Map<FieldId, number>()
  for (const field of partly) {
    const condition = partlyHidden.get(field) ?? NOWHERE
    const name = JSON.stringify(condition)
    const place = places.get(name) ?? conditions.push(checkRule(condition, context)) - 1
    places.set(name, place)
    placeOf.set(field, place)
  }

  const described = areWhole ? describedByThemselves(conditions, records) : new Map<RecordId, Described>()
  const scope = scopeOf(needs, asker.definitions)
  for (const ids of inParts(records.map(({ id }) => id).filter((id) => !described.has(id)))) {
    for (const [id, one] of await selectDescribed(scope, collection.id, conditions, ids)) described.set(id, one)
  }
  return ({ id, version }) => {
    const now = described.get(id)
    const isSame = now?.version === version
    return new Set([...hiddenFields, ...partly.filter((field) => !(isSame && now.holds[placeOf.get(field) ?? -1]))])
  }
}

/** Which conditions describe whole records; those are left out where other records decide as well. */
function describedByThemselves(
  conditions: readonly CheckedFilter[],
  records: readonly CollectionRecord[],
): Map<RecordId, Described> {
  const described = new Map<RecordId, Described>()
  for (const record of records) {
    const holds = conditions.map((condition) => judgeCondition(condition, record))
    if (holds.every((verdict) => verdict !== undefined)) described.set(record.id, { version: record.version, holds })
  }
  return described
}

const NONE: NonNullable<AllowedDecision['partlyHidden']> = new Map()
const NOWHERE = { any: [] }
