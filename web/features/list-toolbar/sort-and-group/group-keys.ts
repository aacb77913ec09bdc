import {
  type ListQuery,
  groupNames,
  printGroup,
  type SortKey,
} from '#web/features/list-toolbar/url/list-query-params.ts'

/** The groups of a list and its order: what stands first in a group's own order is said by the order. */
export type Grouped = Pick<ListQuery, 'group' | 'sort'>

/** The fields a list is grouped by, each with the direction in which its groups stand. */
export const groupKeys = ({ group, sort }: Grouped): readonly SortKey[] =>
  groupNames(group).map((field) => sort.find((key) => key.field === field) ?? { field, direction: 'asc' })

/** The list with other groups. Groups that stand the other way round are said by the order, all others need no word. */
export function withGroupKeys(before: Grouped, keys: readonly SortKey[]): Grouped {
  const grouped = [...groupNames(before.group), ...keys.map(({ field }) => field)]
  const others = before.sort.filter(({ field }) => !grouped.includes(field))
  const turned = keys.filter(({ direction }) => direction === 'desc')
  return { group: printGroup(keys.map(({ field }) => field)), sort: [...turned, ...others] }
}
