import { queryOptions, useQueries } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { groupingOf } from '#web/ui/grid/groups/group-view.tsx'
import type { GridGroup, GridGrouping, GridSummaryValue } from '#web/ui/grid/groups/group-rows.ts'
import { spanOf } from '#web/ui/grid/grid-props.ts'
import type { Span } from '#web/ui/grid/rows/row-window.ts'
import { type DecoratedList, useHasRows } from '#web/views/listing/decorations/use-decorations.tsx'
import { type GroupSummaries, groupSummaries } from '#web/views/listing/summaries/summary-requests.ts'
import { useCollapsedGroups } from './collapsed-groups.tsx'
import { listGroups } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import type { Field } from '#domain/fields/field.ts'
import { traitsOf } from '#web/shared/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'

export type GroupBody = {
  readonly key: { readonly [field: string]: unknown }
  readonly label: string
  readonly count: number
  readonly offset: number
  readonly aggregates: { readonly [summary: string]: number | null }
}

type SummariesOfGroup = (body: GroupBody) => { readonly [columnId: string]: GridSummaryValue | undefined } | undefined

/**
 * The list's groups in the grid's format, parents first, from the pages loaded for each level. Levels can have gaps;
 * rows without a loaded group have no header.
 */
export function gridGroups(
  { fields }: TypedCollection,
  by: readonly string[],
  levels: readonly (readonly GroupBody[])[],
  summariesOf: SummariesOfGroup,
): readonly GridGroup[] {
  const labels = new Map<string, string>()
  const groups = levels.flatMap((bodies, depth) => {
    const field = fields.find(({ name }) => name === by[depth])
    return bodies.map((body): GridGroup => {
      const key = groupKey(by, depth, body)
      const around = depth === 0 ? undefined : labels.get(groupKey(by, depth - 1, body))
      labels.set(key, body.label)
      const label = around === undefined ? body.label : body.label.slice(around.length + SEPARATOR.length)
      return {
        key,
        depth,
        count: body.count,
        first: body.offset,
        label: groupLabel(field, body.key[by[depth] ?? ''], label),
        summaries: summariesOf(body),
      }
    })
  })
  return groups.toSorted((one, other) => one.first - other.first || one.depth - other.depth)
}

const SEPARATOR = ' · '

export const groupKey = (by: readonly string[], depth: number, { key }: Pick<GroupBody, 'key'>): string =>
  JSON.stringify(by.slice(0, depth + 1).map((name) => key[name] ?? null))

/** The name of a group, as in a group header. */
export function groupLabel(field: Field | undefined, value: unknown, label: string): string {
  if (!field) return label
  if (field.kind === 'checkbox')
    return value === true ? t('{label}: yes', { label: field.label }) : t('{label}: no', { label: field.label })
  if (value === null || value === undefined) return t('No {label}', { label: field.label })
  return traitsOf(field).localText?.(value, field) ?? label
}

export function spanOfPage(groups: readonly GroupBody[]): Span {
  const [first, last] = [groups[0], groups.at(-1)]
  return { first: first?.offset ?? 0, end: last ? last.offset + last.count : 0 }
}

/**
 * The page of groups that contains a row, estimated from the loaded pages; undefined if that page is already loaded or
 * no page contains the row. Each wrong estimate roughly halves the range.
 */
export function pageHolding(
  known: ReadonlyMap<number, Span>,
  list: { readonly pages: number; readonly rows: number },
  ordinal: number,
): number | undefined {
  const pages = [...known]
  if (pages.some(([, { first, end }]) => ordinal >= first && ordinal < end)) return undefined
  const below = pages.filter(([, { end }]) => end <= ordinal).toSorted(([a], [b]) => b - a)[0] ?? START
  const above = pages.filter(([, { first }]) => first > ordinal).toSorted(([a], [b]) => a - b)[0]
  const [low, { end: from }] = below
  const [high, to] = above ? [above[0], above[1].first] : [list.pages + 1, list.rows]
  if (high - low <= 1) return undefined
  const share = to > from ? (ordinal - from) / (to - from) : 0
  return Math.min(Math.max(low + 1 + Math.floor(share * (high - low - 1)), low + 1), high - 1)
}

const START: readonly [number, Span] = [0, { first: 0, end: 0 }]

/** The server's page size. */
export const GROUPS_PER_PAGE = 500

type GroupsPage = { readonly by: string; readonly aggregates: string; readonly page: number }

export const groupsQuery = (collection: string, { by, aggregates, page }: GroupsPage, listing: Listing) =>
  queryOptions({
    // Cached separately, because summaries depend on every value, but groups only on a few.
    queryKey: (aggregates === '' ? queryKeys.groups : queryKeys.sums)(collection, { by, aggregates, page, ...listing }),
    queryFn: ({ signal }) => {
      const query = {
        by,
        ...(aggregates !== '' && { aggregates }),
        ...listingParams(listing),
        page,
        perPage: GROUPS_PER_PAGE,
      }
      return call(listGroups, { params: { collection }, query, signal })
    },
  })

type Page = { readonly depth: number; readonly page: number }

type PageAnswer = { readonly groups: readonly GroupBody[]; readonly total: number }

/** Loads a list's groups level by level, as needed for the visible rows. */
export function useGroups(list: DecoratedList): {
  readonly grouping: GridGrouping | undefined
  readonly areHeadsDue: boolean
} {
  const { collection, group, source } = list
  const names = useMemo(() => (group === null ? [] : group.split(',')), [group])
  const pages = usePages(list, names)
  const heads = useGroupHeaders(list, names, pages)
  const [fold, setFold] = useCollapsedGroups(collection.id, group ?? '')

  const { first, end } = spanOf(source)
  const { need } = pages
  useEffect(() => {
    if (source.kind === 'page') need([{ first, end }])
  }, [source.kind, first, end, need])
  const grouping = useMemo(
    () =>
      heads && group !== null
        ? groupingOf({ groups: heads, collapsed: fold, onCollapse: setFold, onShown: need })
        : undefined,
    [heads, fold, setFold, group, need],
  )
  return { grouping, areHeadsDue: group !== null && heads === undefined && !pages.hasFailed }
}

type Pages = {
  readonly requested: readonly Page[]
  readonly answers: readonly (PageAnswer | undefined)[]
  /** Whether loading a level has failed; a retry may succeed, but nothing waits for it. */
  readonly hasFailed: boolean
  readonly summaryPages: readonly (PageAnswer | undefined)[]
  readonly requestedSummaries: GroupSummaries
  readonly need: (rows: readonly Span[]) => void
}

function usePages({ collection, listing, look, source }: DecoratedList, names: readonly string[]): Pages {
  const { filter, search, sort, at } = listing
  // The sort order starts with the group-by fields, each with its own direction.
  const by = useMemo(() => sort.split(',').slice(0, names.length), [sort, names])
  const key = JSON.stringify([collection.id, filter, search, sort, at, by])
  const [more, setMore] = useState<{ readonly key: string; readonly pages: readonly Page[] }>({ key, pages: [] })
  const requested = useMemo(
    () => [...by.map((_, depth): Page => ({ depth, page: 1 })), ...(more.key === key ? more.pages : [])],
    [by, more, key],
  )
  const requestedSummaries = useMemo(() => groupSummaries(collection, look.footers), [collection, look.footers])
  const hasRows = useHasRows({ listing, source })
  const queryOf = (aggregates: string) => (page: Page) => ({
    ...groupsQuery(
      collection.name,
      { by: by.slice(0, page.depth + 1).join(','), aggregates, page: page.page },
      { filter, search, sort, at },
    ),
    enabled: aggregates === '' || hasRows,
  })
  const { answers, hasFailed } = useQueries({ queries: requested.map(queryOf('')), combine: answersOf })
  const { answers: summaryPages } = useQueries({
    queries: requestedSummaries.aggregates === '' ? [] : requested.map(queryOf(requestedSummaries.aggregates)),
    combine: answersOf,
  })

  const latest = useRef({ requested, answers, rows: 0, key })
  useEffect(() => {
    latest.current = { requested, answers, rows: spanOf(source).end, key }
  })
  const need = useCallback((rows: readonly Span[]) => {
    const now = latest.current
    const wanted = requiredPages(now, rows).filter(({ depth, page }) =>
      now.requested.every((each) => each.depth !== depth || each.page !== page),
    )
    if (wanted.length === 0) return
    setMore((before) => ({ key: now.key, pages: [...(before.key === now.key ? before.pages : []), ...wanted] }))
  }, [])
  return { requested, answers, hasFailed, summaryPages, requestedSummaries, need }
}

const answersOf = (
  results: readonly { readonly data?: PageAnswer | undefined; readonly failureCount: number }[],
): Pick<Pages, 'answers' | 'hasFailed'> => ({
  answers: results.map(({ data }) => data),
  hasFailed: results.some(({ data, failureCount }) => data === undefined && failureCount > 0),
})

type Known = Pick<Pages, 'requested' | 'answers'> & { readonly rows: number }

function requiredPages({ requested, answers, rows }: Known, spans: readonly Span[]): Page[] {
  const wanted = new Map<string, Page>()
  const depths = new Set(requested.map(({ depth }) => depth))
  for (const depth of depths) {
    const known = new Map<number, Span>()
    let total = 0
    requested.forEach((each, at) => {
      const answer = answers[at]
      if (each.depth !== depth || !answer) return
      known.set(each.page, spanOfPage(answer.groups))
      total = answer.total
    })
    const list = { pages: Math.ceil(total / GROUPS_PER_PAGE), rows }
    for (const ordinal of spans.flatMap(({ first, end }) => [first, end - 1])) {
      const page = known.size === 0 ? undefined : pageHolding(known, list, ordinal)
      if (page !== undefined) wanted.set(`${depth} ${page}`, { depth, page })
    }
  }
  return [...wanted.values()]
}

/** The group headers once the first page of each level has loaded; until then, those of the previous list. */
function useGroupHeaders(
  { collection, group }: DecoratedList,
  names: readonly string[],
  { requested, answers, summaryPages, requestedSummaries }: Pages,
): readonly GridGroup[] | undefined {
  const list = JSON.stringify([collection.id, group])
  const heads = useMemo(() => {
    const isThere = names.every((_, depth) => answers[depth] !== undefined)
    if (!isThere) return undefined
    const known = new Map<string, { readonly [columnId: string]: GridSummaryValue | undefined }>()
    requested.forEach(({ depth }, at) => {
      for (const body of summaryPages[at]?.groups ?? [])
        known.set(groupKey(names, depth, body), requestedSummaries.of(body))
    })
    const levels = names.map((_, depth) =>
      requested.flatMap((each, at) => (each.depth === depth ? (answers[at]?.groups ?? []) : [])),
    )
    return gridGroups(collection, names, levels, (body) =>
      known.get(groupKey(names, Object.keys(body.key).length - 1, body)),
    )
  }, [collection, names, requested, answers, summaryPages, requestedSummaries])

  const [held, setHeld] = useState({ list, heads })
  if (heads && (held.heads !== heads || held.list !== list)) setHeld({ list, heads })
  return heads ?? (held.list === list ? held.heads : undefined)
}
