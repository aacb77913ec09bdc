import type { Filter } from '../query/filter.ts'
import { sameJson } from '../shared/json.ts'

/** Conditions, each once. */
export function distinctFilters(conditions: readonly Filter[]): readonly Filter[] {
  const seen: Filter[] = []
  for (const one of conditions) if (!seen.some((known) => sameJson(known, one))) seen.push(one)
  return seen
}

/** Conditions joined by "or", as trees, each once. */
export function anyFilter(conditions: readonly Filter[]): Filter {
  const all = distinctFilters(conditions)
  const [only] = all
  return only !== undefined && all.length === 1 ? only : { any: all }
}

/** Conditions joined by "and", as trees, each once; undefined where there is none. */
export function allFilters(conditions: readonly (Filter | undefined)[]): Filter | undefined {
  const all = distinctFilters(conditions.filter((one) => one !== undefined))
  const [only] = all
  return all.length > 1 ? { all } : only
}
