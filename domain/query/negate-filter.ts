import { hasSelectOptions, holdsList } from '../fields/field.ts'
import { type Comparison, type Filter, isList, type Operator, pathsOf } from './filter.ts'
import { type PathContext, partsOfPath } from './saved-filter.ts'

/**
 * A filter, as people write it, that finds exactly the records another one does not; undefined where the language has no
 * words for that. `negate` does the same to a checked filter, and always can.
 */
export function negateFilter(filter: Filter, context: PathContext): Filter | undefined {
  if (!('field' in filter)) {
    const parts = 'all' in filter ? filter.all : filter.any
    const negated = parts.map((part) => negateFilter(part, context))
    const whole = negated.filter((part) => part !== undefined)
    if (whole.length < parts.length) return undefined
    return 'all' in filter ? { any: whole } : { all: whole }
  }
  return negateComparison(filter, context)
}

const OPPOSITES: { readonly [Op in Operator]?: Operator } = {
  '=': '!=',
  '!=': '=',
  '~': '!~',
  '!~': '~',
  'is empty': 'is not empty',
  'is not empty': 'is empty',
}

/** Of one value: what is not below is above, the same, or not there at all. */
const REVERSED: { readonly [Op in Operator]?: Operator } = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

function negateComparison(comparison: Comparison, context: PathContext): Filter | undefined {
  const { field, op, value } = comparison
  const opposite = OPPOSITES[op]
  if (opposite) return value === undefined ? { field, op: opposite } : { field, op: opposite, value }
  if (op === 'in' && isList(value)) return { all: value.map((one) => ({ field, op: '!=', value: one })) }
  const paths = pathsOf(comparison)
  if (value === undefined || !paths.every((path) => hasOneOrder(path, context))) return undefined
  const isMissing = paths.map((path): Filter => ({ field: path, op: 'is empty' }))
  const reversed = REVERSED[op]
  if (reversed) return { any: [{ field, op: reversed, value }, ...isMissing] }
  const [low, high] = isList(value) ? value : []
  if (op !== 'between' || low === undefined || high === undefined) return undefined
  return { any: [{ field, op: '<', value: low }, { field, op: '>', value: high }, ...isMissing] }
}

/**
 * Whether what is not on one side of a value is on the other: not where there can be several values at the end of a
 * path, and not among choices, where one that is gone stands nowhere.
 */
const hasOneOrder = (path: string, context: PathContext): boolean =>
  partsOfPath(path, context)?.every(
    ({ leaf }) => leaf.type === 'system' || !(holdsList(leaf.field) || hasSelectOptions(leaf.field)),
  ) ?? false
