import type { Filter } from '../query/filter.ts'
import type { FieldId } from '../shared/ids.ts'
import type { AccessTarget, Decision } from './decide.ts'
import { allFilters } from './join-conditions.ts'

/** A decision that says yes. */
export type AllowedDecision = Extract<Decision, { readonly allowed: true }>

/** A decision for the records in which all of some fields are there; undefined where one of them is there in none. */
export function whereFieldsReadable(
  decision: AllowedDecision,
  fields: readonly FieldId[],
): AllowedDecision | undefined {
  const { where, hiddenFields, partlyHidden } = decision
  if (fields.some((field) => hiddenFields.has(field))) return undefined
  return withCondition(decision, allFilters([where, ...fields.map((field) => partlyHidden?.get(field))]))
}

/** What two decisions allow together: records of both, with the fields that both open in them. */
export function intersectDecisions(one: AllowedDecision, other: AllowedDecision): AllowedDecision {
  const hiddenFields = new Set([...one.hiddenFields, ...other.hiddenFields])
  const partly = new Set([...(one.partlyHidden?.keys() ?? []), ...(other.partlyHidden?.keys() ?? [])])
  const conditions = [...partly].flatMap((field): readonly (readonly [FieldId, Filter])[] => {
    const condition = allFilters([one.partlyHidden?.get(field), other.partlyHidden?.get(field)])
    return condition === undefined || hiddenFields.has(field) ? [] : [[field, condition]]
  })
  const joined: AllowedDecision = { allowed: true, hiddenFields, ...partlyHiddenBy(conditions) }
  return withCondition(joined, allFilters([one.where, other.where]))
}

/** A decision for records that were not found by it: in those outside of its condition no field is there. */
export function forUnfilteredRecords(
  decision: AllowedDecision,
  { fields }: Pick<AccessTarget, 'fields'>,
): AllowedDecision {
  const { where, hiddenFields, partlyHidden } = decision
  if (where === undefined) return decision
  const conditions = fields.flatMap(({ id }): readonly (readonly [FieldId, Filter])[] => {
    const condition = allFilters([where, partlyHidden?.get(id)])
    return condition === undefined ? [] : [[id, condition]]
  })
  return { allowed: true, where, hiddenFields, ...partlyHiddenBy(conditions) }
}

const partlyHiddenBy = (conditions: readonly (readonly [FieldId, Filter])[]): Pick<AllowedDecision, 'partlyHidden'> =>
  conditions.length === 0 ? {} : { partlyHidden: new Map(conditions) }

const withCondition = (decision: AllowedDecision, where: Filter | undefined): AllowedDecision =>
  where === undefined ? decision : { ...decision, where }
