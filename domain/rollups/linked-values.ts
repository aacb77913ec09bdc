import { fieldById } from '#domain/collections/collection.ts'
import {
  type Field,
  type FieldKind,
  linkedCollection,
  type LinkedValue,
  type RollupFunction,
} from '#domain/fields/field.ts'
import { type FormulaContext, keyOfLinked } from '#domain/formulas/formula-fields.ts'
import { linkedValuesOf, valueField } from '#domain/formulas/value-field.ts'
import { MAX_PATH_RELATIONS } from '#domain/query/query-limits.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { inferred, pathOf, type RollupAuthor, summarizedField } from './rollup-fields.ts'
import type { RollupContext } from './rollup-plan.ts'

type LinkedContext = RollupContext &
  RollupAuthor & {
    /** The formula that is changed, whose values keep their columns. */
    readonly existing?: Field | undefined
    readonly newId: () => string
  }

/** What a formula of a collection can refer to, including values of linked records. */
export function formulaContext(
  context: LinkedContext,
  others: Pick<FormulaContext, 'siblings' | 'isVisible'>,
): FormulaContext {
  const { collection, collectionOf } = context
  return {
    ...others,
    collectionOf: (id) => (id === collection.id ? collection : collectionOf(id)),
    linkedValue: linkedValueFinder(context),
  }
}

/** Equal values of a formula are stored once, and keep their column when the formula changes. */
function linkedValueFinder(context: LinkedContext): FormulaContext['linkedValue'] {
  const { existing, newId } = context
  const ids = new Map(existing && linkedValuesOf(existing).map((value) => [keyOfLinked(value), value.id]))
  return (path, summarizes) => {
    const defined = definedValue(path, summarizes, context)
    if (!defined?.ok) return defined
    const key = keyOfLinked(defined.value)
    const id = ids.get(key) ?? newId()
    ids.set(key, id)
    return ok({ id, ...defined.value })
  }
}

type Defined = Result<Omit<LinkedValue, 'id'>, string>

/** A path that ends with linked records counts them; otherwise, its last part is a field of theirs. */
function definedValue(
  names: readonly string[],
  summarizes: RollupFunction | undefined,
  context: LinkedContext,
): Defined | undefined {
  const links = pathOf(names, context)
  if (links.ok)
    return summarizes === 'count'
      ? checkedValue(links.value.ids, undefined, 'count', context)
      : fail(recordsMessage(names.join('.')))
  if (names.length === 1) return undefined
  if (names.length > MAX_PATH_RELATIONS + 1) return fail(TOO_LONG)
  const route = pathOf(names.slice(0, -1), context)
  if (!route.ok) return fail(messageOf(route.fault))
  const { ids, target, isOne } = route.value
  const field = summarizedField(names.at(-1), target, context)
  if (!field.ok) return fail(messageOf(field.fault))
  const last = fieldById(target, field.value ?? '')
  if (last && linkedCollection(last) !== undefined) return fail(TOO_LONG)
  if (summarizes === undefined && !isOne) return fail(severalMessage(names.join('.'), last))
  return checkedValue(ids, field.value, summarizes, context)
}

/** Without a function, the value of the only linked record. */
function checkedValue(
  path: readonly string[],
  field: string | undefined,
  summarizes: RollupFunction | undefined,
  context: LinkedContext,
): Defined {
  const options = {
    path,
    ...(field !== undefined && { field }),
    function: summarizes ?? 'first',
    result: 'number',
  } as const
  const kind = summarizes === undefined ? 'lookup' : 'rollup'
  const shared = { id: '', name: '', label: '', required: false, unique: false, default: null } as const
  const checked = inferred({ ...shared, kind, options }, context)
  if (checked.ok) return ok({ kind, options: checked.value })
  return fail(messageOf(checked.fault))
}

const messageOf = ([first]: readonly PartProblem[]): string => first?.message ?? ''

const recordsMessage = (path: string): string =>
  `“${path}” leads to linked records. Use one of their fields, such as sum(${path}.hours), or count(${path}).`

const TOO_LONG = `A path can follow at most ${MAX_PATH_RELATIONS} links.`

function severalMessage(path: string, field: Field | undefined): string {
  const summary = (field && USUAL_SUMMARIES[valueField(field).kind]) ?? 'join'
  return `“${path}” can have several values. Summarize them, such as ${summary}(${path}).`
}

const USUAL_SUMMARIES: { readonly [Kind in FieldKind]?: string } = {
  number: 'sum',
  'auto-number': 'max',
  checkbox: 'any',
  date: 'max',
  'date-time': 'max',
}
