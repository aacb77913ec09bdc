import { type Comparison, type Filter, isFieldOperand } from '#domain/query/filter/filter.ts'
import { EVERYTHING, parseFilter } from '#domain/query/filter/parse-filter.ts'

/** Whether a node is a comparison and no group. */
const isComparison = (filter: Filter): filter is Comparison => 'field' in filter

/** The tree of a filter's text; undefined where the text is no filter. */
export function treeOf(text: string): Filter | undefined {
  const parsed = parseFilter(text)
  return parsed.ok ? parsed.value.filter : undefined
}

const partsOf = (filter: Exclude<Filter, Comparison>): readonly Filter[] => ('all' in filter ? filter.all : filter.any)

/** The parts of a filter that must all hold. */
function conjuncts(filter: Filter): readonly Filter[] {
  return 'all' in filter ? filter.all : [filter]
}

/** A field as filters name it: by either. */
type Named = { readonly id: string; readonly name: string }

/** The one condition on a field alone that stands beside all others, as the input below its column shows it. */
export function columnCondition(filter: Filter, { id, name }: Named): Comparison | undefined {
  const own = conjuncts(filter)
    .filter(isComparison)
    .filter((condition) => condition.field === name || condition.field === id)
    .filter(({ value }) => !isFieldOperand(value))
  return own.length === 1 ? own[0] : undefined
}

/** The filter with another condition on a field, beside all that is not about this field alone; without one, if none is given. */
export function withColumnCondition(filter: Filter, field: Named, condition: Comparison | undefined): Filter {
  const before = columnCondition(filter, field)
  const parts = conjuncts(filter)
  const at = before === undefined ? -1 : parts.indexOf(before)
  if (condition === undefined) return at < 0 ? filter : joined(parts.toSpliced(at, 1))
  return joined(at < 0 ? [...parts, condition] : parts.with(at, condition))
}

function joined(parts: readonly Filter[]): Filter {
  const [only] = parts
  if (only === undefined) return EVERYTHING
  return parts.length === 1 ? only : { all: parts }
}

/** How many conditions a filter has. */
export function conditionCount(filter: Filter): number {
  return isComparison(filter) ? 1 : partsOf(filter).reduce((count, part) => count + conditionCount(part), 0)
}
