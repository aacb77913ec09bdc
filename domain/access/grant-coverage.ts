import { type Filter, type FilterLiteral, literalsOf } from '#domain/query/filter/filter.ts'
import { comparisonsOf } from '#domain/query/filter/saved-filter.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { FieldSet, Grant } from './grant.ts'

/**
 * Whether the actor's own grants cover a grant that they want to assign to another user. A condition covers only an
 * identical condition; conditions on `@me` cover nothing, because they match different records for each user.
 */
export const isGrantCovered = (grant: Grant, own: readonly Grant[]): boolean => own.some((one) => covers(one, grant))

function covers(own: Grant, { permission, collection, where, fields, presets }: Grant): boolean {
  return (
    own.permission === permission &&
    (own.collection === null || own.collection === collection) &&
    selectsAll(own.where, where) &&
    opensAll(own.fields, fields) &&
    // Default values can set fields or statuses that the record's creator can't set directly.
    (sameJson(own.presets ?? null, presets ?? null) || (presets === undefined && own.fields === undefined))
  )
}

const selectsAll = (own: Filter | undefined, other: Filter | undefined): boolean =>
  own === undefined || (other !== undefined && sameJson(own, other) && !dependsOnReader(other))

const dependsOnReader = (where: Filter): boolean =>
  comparisonsOf(where).some((comparison) => literalsOf(comparison).some(namesReader))

/** User and date markers can also be stored as plain text. */
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
