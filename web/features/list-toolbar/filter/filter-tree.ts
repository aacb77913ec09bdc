import { type Comparison, type Filter, isFieldOperand } from '#domain/query/filter/filter.ts'
import { EVERYTHING, parseFilter } from '#domain/query/filter/parse-filter.ts'

const isComparison = (filter: Filter): filter is Comparison => 'field' in filter

/** Undefined for invalid text. */
export function treeOf(text: string): Filter | undefined {
  const parsed = parseFilter(text)
  return parsed.ok ? parsed.value.filter : undefined
}

const partsOf = (filter: Exclude<Filter, Comparison>): readonly Filter[] => ('all' in filter ? filter.all : filter.any)

function conjuncts(filter: Filter): readonly Filter[] {
  return 'all' in filter ? filter.all : [filter]
}

type Named = { readonly id: string; readonly name: string }

/** The single top-level condition on this field alone. */
export function columnCondition(filter: Filter, { id, name }: Named): Comparison | undefined {
  const own = conjuncts(filter)
    .filter(isComparison)
    .filter((condition) => condition.field === name || condition.field === id)
    .filter(({ value }) => !isFieldOperand(value))
  return own.length === 1 ? own[0] : undefined
}

/** Replaces the top-level condition on this field; without one, removes it. */
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

export function conditionCount(filter: Filter): number {
  return isComparison(filter) ? 1 : partsOf(filter).reduce((count, part) => count + conditionCount(part), 0)
}
