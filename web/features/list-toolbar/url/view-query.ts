import type { ViewBody } from '#api/views.ts'
import { type ListQuery, groupNames, printGroup, printSort, readSort } from './list-query-params.ts'

export const queryOfView = ({ id, query, pageSize }: ViewBody): ListQuery => ({
  view: id,
  filter: query.filter,
  search: query.search,
  sort: readSort(query.sort),
  group: printGroup(groupNames(query.group)),
  page: 1,
  perPage: pageSize,
})

export const queryToSave = ({ filter, search, sort, group, perPage }: ListQuery) => ({
  query: { filter, search: search.trim(), sort: printSort(sort), group: group ?? '' },
  pageSize: perPage,
})
