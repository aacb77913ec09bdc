import type { Actor } from '#domain/access/actor.ts'
import { type Field, isRollup, type RollupKind } from '#domain/fields/field.ts'
import { resultOfPlan } from '#domain/rollups/rollup-fields.ts'
import { findCycle } from '#domain/rollups/rollup-graph.ts'
import type { FieldPlace } from '#domain/rollups/rollup-plan.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { hiddenDefinitionFields, maySee } from '#server/query/definitions/find-collection.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { rollupsOf } from '#server/records/rollups/rollup-plans.ts'

/**
 * Rejects a change after which a lookup, count or rollup isn't valid or would have values of another type, and cycles of
 * calculated fields.
 */
export function assertRollupsFit({ actor, definitions: before }: Writing, after: Definitions): void {
  const places = after.list.flatMap((collection) =>
    collection.fields.filter(isRollup).map((field) => ({ collection, field })),
  )
  if (places.length === 0) return
  const cycle = findCycle({ ...after, collectionOf: (id) => after.byId.get(id) })
  if (cycle) throw cycleProblem(actor, cycle)
  const [valid, known] = [validFields(after), validFields(before)]
  const broken = places.find(({ field }) => !valid.has(field.id) && (known.has(field.id) || !isKnown(before, field)))
  if (broken) throw brokenProblem(actor, broken)
}

const validFields = (definitions: Definitions): ReadonlySet<FieldId> =>
  new Set(
    rollupsOf(definitions)
      .plans.filter((plan) => resultOfPlan(plan) === plan.field.options.result)
      .map(({ field }) => field.id),
  )

const isKnown = ({ list }: Definitions, { id }: Field<RollupKind>): boolean =>
  list.some(({ fields }) => fields.some((field) => field.id === id))

const isVisible = (actor: Actor, { collection, field }: FieldPlace): boolean =>
  maySee(actor, collection) && !hiddenDefinitionFields(actor, collection).has(field.id)

function cycleProblem(actor: Actor, cycle: readonly FieldPlace[]): Problem {
  const path = cycle.map(({ collection, field }) => `${collection.label}: ${field.label}`).join(' → ')
  const where = cycle.every((place) => isVisible(actor, place)) ? `: ${path}` : ''
  const message = `A field can’t be calculated from itself${where}.`
  return new Problem('definition-invalid', message, { errors: [{ path: 'options', code: 'cycle', message }] })
}

function brokenProblem(actor: Actor, place: FieldPlace): Problem {
  const message = isVisible(actor, place)
    ? `“${place.field.label}” in ${place.collection.label} would no longer work, because it is calculated from this. Change or delete it first.`
    : 'A calculated field that you can’t see would no longer work. Ask an owner.'
  return new Problem('in-use', `Nothing was changed. ${message}`, {
    errors: [{ path: 'fields', code: 'in-use', message }],
  })
}
