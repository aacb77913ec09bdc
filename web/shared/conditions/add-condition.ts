import type { Filter } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { sameJson } from '#domain/shared/json.ts'

/** Unchanged if the filter already contains the condition or is invalid. */
export function addCondition(text: string, condition: Filter): string {
  const parsed = parseFilter(text)
  if (!parsed.ok) return text
  const asked = partsOf(parsed.value.filter)
  const more = partsOf(condition).filter((part) => !asked.some((one) => sameJson(one, part)))
  if (more.length === 0) return text
  const all = [...asked, ...more]
  const [only] = all
  return printFilter(all.length === 1 && only ? only : { all })
}

const partsOf = (filter: Filter): readonly Filter[] => ('all' in filter ? filter.all : [filter])
