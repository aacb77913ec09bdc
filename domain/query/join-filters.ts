import type { Filter } from './filter.ts'

/** All of several filters at once, joined as trees and never as text; those that are absent ask nothing. */
export function joinFilters(...filters: readonly (Filter | undefined)[]): Filter {
  const parts = filters
    .flatMap((filter) => filter ?? [])
    .filter((filter) => !('all' in filter && filter.all.length === 0))
  const [only] = parts
  return parts.length === 1 && only ? only : { all: parts }
}
