import { type Filter, type FilterLiteral, literalsOf } from '#domain/query/filter/filter.ts'
import { comparisonsOf } from '#domain/query/filter/saved-filter.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { FieldSet, Grant } from './grant.ts'

/**
 * Whether one person's grants cover a grant that another person is to hold. A condition covers only the same condition,
 * and a condition on the reader (`@me`, `@me.team`) covers none: it selects other records for another reader.
 */
export const isGrantCovered = (grant: Grant, own: readonly Grant[]): boolean => own.some((one) => covers(one, grant))

function covers(own: Grant, { permission, collection, where, fields, presets }: Grant): boolean {
  return (
    own.permission === permission &&
    (own.collection === null || own.collection === collection) &&
    selectsAll(own.where, where) &&
    opensAll(own.fields, fields) &&
    // Default values may set what their creator cannot: a restricted field, an intermediate status.
    (sameJson(own.presets ?? null, presets ?? null) || (presets === undefined && own.fields === undefined))
  )
}

const selectsAll = (own: Filter | undefined, other: Filter | undefined): boolean =>
  own === undefined || (other !== undefined && sameJson(own, other) && !dependsOnReader(other))

/** Whether a condition selects other records for another reader. */
const dependsOnReader = (where: Filter): boolean =>
  comparisonsOf(where).some((comparison) => literalsOf(comparison).some(namesReader))

/** Programs may write a marker as a plain text, which people and days are compared with as well. */
const namesReader = (literal: FilterLiteral): boolean =>
  /^@me(?:\.|$)/.test(typeof literal === 'object' ? literal.marker : String(literal))

function opensAll(own: FieldSet | undefined, other: FieldSet | undefined): boolean {
  if (own === undefined) return true
  if (other === undefined) return false
  if ('only' in own) return 'only' in other && other.only.every((id) => own.only.includes(id))
  return 'only' in other
    ? other.only.every((id) => !own.except.includes(id))
    : own.except.every((id) => other.except.includes(id))
}
