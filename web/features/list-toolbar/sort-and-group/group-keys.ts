import {
  type ListQuery,
  groupNames,
  printGroup,
  type SortKey,
} from '#web/features/list-toolbar/url/list-query-params.ts'

export type Grouped = Pick<ListQuery, 'group' | 'sort'>

/** Group fields with the direction of their groups. */
export const groupKeys = ({ group, sort }: Grouped): readonly SortKey[] =>
  groupNames(group).map((field) => sort.find((key) => key.field === field) ?? { field, direction: 'asc' })

/** Only descending groups need a sort field. */
export function withGroupKeys(before: Grouped, keys: readonly SortKey[]): Grouped {
  const grouped = [...groupNames(before.group), ...keys.map(({ field }) => field)]
  const others = before.sort.filter(({ field }) => !grouped.includes(field))
  const turned = keys.filter(({ direction }) => direction === 'desc')
  return { group: printGroup(keys.map(({ field }) => field)), sort: [...turned, ...others] }
}
