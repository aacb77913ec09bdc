import type { Filter } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { sameJson } from '#domain/shared/json.ts'

/** Adds a condition to a filter. Doesn't change filters that are invalid or already contain the condition. */
export function addCondition(text: string, condition: Filter): string {
  const parsed = parseFilter(text)
  if (!parsed.ok) return text
  const requested = partsOf(parsed.value.filter)
  const more = partsOf(condition).filter((part) => !requested.some((one) => sameJson(one, part)))
  if (more.length === 0) return text
  const all = [...requested, ...more]
  const [only] = all
  return printFilter(all.length === 1 && only ? only : { all })
}

const partsOf = (filter: Filter): readonly Filter[] => ('all' in filter ? filter.all : [filter])
