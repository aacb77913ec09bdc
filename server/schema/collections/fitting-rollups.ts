import type { Actor } from '#domain/access/actor.ts'
import type { Field, RollupKind } from '#domain/fields/field.ts'
import { rollupsIn } from '#domain/formulas/value-field.ts'
import { resultOfPlan } from '#domain/rollups/rollup-fields.ts'
import { findCycle, type RollupGraph } from '#domain/rollups/rollup-graph.ts'
import { type FieldPlace, isSingle, type RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { hiddenDefinitionFields, maySee } from '#server/query/definitions/find-collection.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { rollupsOf } from '#server/records/rollups/rollup-plans.ts'

/**
 * Rejects a change after which a lookup, count, rollup or formula of linked records isn't valid or would have values of another type, and cycles of
 * calculated fields.
 */
export function assertRollupsFit(
  { actor, definitions: before }: Pick<Writing, 'actor' | 'definitions'>,
  after: Definitions,
): void {
  const places = after.list.flatMap((collection) =>
    collection.fields.flatMap((field) => rollupsIn([field]).map((rollup) => ({ collection, field, rollup }))),
  )
  if (places.length === 0) return
  const cycle = findCycle({ ...after, collectionOf: (id) => after.byId.get(id) })
  if (cycle) throw cycleProblem(actor, cycle)
  const [valid, known] = [validFields(after), validFields(before)]
  const broken = places.find(
    ({ rollup }) => !valid.has(rollup.id) && (known.has(rollup.id) || !isKnown(before, rollup)),
  )
  if (broken) throw brokenProblem(actor, broken, rollupsOf(after))
}

const validFields = (definitions: Definitions): ReadonlySet<FieldId> =>
  new Set(
    rollupsOf(definitions)
      .plans.filter((plan) => resultOfPlan(plan) === plan.field.options.result && !hasSeveral(plan))
      .map(({ field }) => field.id),
  )

/** Whether a lookup of one record leads to several. */
const hasSeveral = ({ field, steps }: RollupPlan): boolean =>
  field.kind === 'lookup' && field.options.function === 'first' && !isSingle(steps)

const isKnown = ({ list }: Definitions, { id }: Field<RollupKind>): boolean =>
  list.some(({ fields }) => rollupsIn(fields).some((field) => field.id === id))

const isVisible = (actor: Actor, { collection, field }: FieldPlace): boolean =>
  maySee(actor, collection) && !hiddenDefinitionFields(actor, collection).has(field.id)

function cycleProblem(actor: Actor, cycle: readonly FieldPlace[]): Problem {
  const path = cycle.map(({ collection, field }) => `${collection.label}: ${field.label}`).join(' → ')
  const where = cycle.every((place) => isVisible(actor, place)) ? `: ${path}` : ''
  const message = `A field can’t be calculated from itself${where}.`
  return new Problem('definition-invalid', message, { errors: [{ path: 'options', code: 'cycle', message }] })
}

const brokenReason = ({ collection, field }: FieldPlace): string =>
  `“${field.label}” in ${collection.label} would no longer work, because it is calculated from this. Change or delete it first.`

const severalReason = ({ collection, field }: FieldPlace): string =>
  `“${field.label}” in ${collection.label} shows the value of one linked record, and there could be several. Change or delete it first.`

type RollupPlace = FieldPlace & { readonly rollup: Field<RollupKind> }

function brokenProblem(actor: Actor, place: RollupPlace, { plans }: RollupGraph): Problem {
  const plan = plans.find(({ field }) => field.id === place.rollup.id)
  const reason = plan && hasSeveral(plan) ? severalReason(place) : brokenReason(place)
  const message = isVisible(actor, place)
    ? reason
    : 'A calculated field that you can’t see would no longer work. Ask an owner.'
  return new Problem('in-use', `Nothing was changed. ${message}`, {
    errors: [{ path: 'fields', code: 'in-use', message }],
  })
}
