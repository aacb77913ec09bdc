import { calendarOf } from '#domain/query/check/query-context.ts'
import { couldMatch, withDefaults } from '#domain/records/granted-defaults.ts'
import { coversField, type GrantWithDefaults } from '#domain/access/grant.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type NamedValues, checkNewValues, fieldsNamed } from '#domain/records/check-values.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { queryContext } from '#server/access/record-access/authorized-query.ts'
import type { WriteScope } from '#server/records/write/assert-writable-fields.ts'

/**
 * A collection with the default values from the actor's grants for a new record. Uses only the first grant with
 * defaults that allows the given fields and whose condition, if any, the record could match.
 */
export function withGrantedDefaults(
  { definitions, actor, at }: Pick<Writing, 'definitions' | 'actor' | 'at'>,
  { collection, decision }: WriteScope,
  given: NamedValues,
): Collection {
  if (!decision.presets) return collection
  const context = queryContext({ definitions, actor, now: new Date(at) }, collection, decision)
  const named = fieldsNamed(collection, given)
  const started = ({ presets }: GrantWithDefaults) => withDefaults(collection, presets, context)
  const fits = (grant: GrantWithDefaults): boolean => {
    if (!named.every(({ id }) => coversField(grant, id))) return false
    if (grant.where === undefined) return true
    const checked = checkNewValues(started(grant), given, decision.hiddenFields, calendarOf(context))
    // Invalid values are rejected by a later check.
    return !checked.ok || couldMatch(grant.where, context, checked.value)
  }
  const wanted = decision.presets.find(fits)
  return wanted ? started(wanted) : collection
}
