import { sameJson } from '../shared/json.ts'
import type { FieldSet, Grant } from './grant.ts'

/**
 * Whether a grant gives nothing that these do not give: nobody hands on what they do not hold themselves. A condition
 * is within the same condition alone, whatever else it may come to.
 */
export const isWithin = (grant: Grant, own: readonly Grant[]): boolean => own.some((one) => gives(one, grant))

function gives(own: Grant, { permission, collection, where, fields, presets }: Grant): boolean {
  return (
    own.permission === permission &&
    (own.collection === null || own.collection === collection) &&
    (own.where === undefined || (where !== undefined && sameJson(own.where, where))) &&
    opensAll(own.fields, fields) &&
    // What records start with may be what their maker could not give: a field closed to them, a state on its way.
    (sameJson(own.presets ?? null, presets ?? null) || (presets === undefined && own.fields === undefined))
  )
}

function opensAll(own: FieldSet | undefined, wanted: FieldSet | undefined): boolean {
  if (own === undefined) return true
  if (wanted === undefined) return false
  if ('only' in own) return 'only' in wanted && wanted.only.every((id) => own.only.includes(id))
  return 'only' in wanted
    ? wanted.only.every((id) => !own.except.includes(id))
    : own.except.every((id) => wanted.except.includes(id))
}
