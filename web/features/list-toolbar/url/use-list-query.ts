import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import {
  type ListQueryParams,
  type ListQuery,
  changedQuery,
  DEFAULT_LIST_QUERY,
  isAboutDisplay,
  printListQuery,
  parseListQuery,
} from './list-query-params.ts'

export type QueryChange = Partial<ListQuery> | ((query: ListQuery) => Partial<ListQuery>)

export type ListQueryState = {
  readonly query: ListQuery
  /**
   * Changes the query. Every change adds a history entry, except for continued typing or with `replace`. An updater
   * function receives the latest requested query. With `current`, the history entry that is left gets this change first.
   */
  readonly change: (part: QueryChange, step?: 'replace', current?: QueryChange) => void
}

/** Time in ms within which changes to the same parameter share a history entry. */
const ONE_STEP_MS = 2500

/** Returns a function that determines whether a change continues the previous one. */
export function steps(): (part: Partial<ListQuery>, nowMs: number) => boolean {
  let before: { readonly name: string; readonly atMs: number } | undefined
  return (part, nowMs) => {
    const [name = '', ...others] = Object.keys(part)
    const isTyped = others.length === 0 && (name === 'filter' || name === 'search')
    const isSame = isTyped && before?.name === name && nowMs - before.atMs < ONE_STEP_MS
    before = isTyped ? { name, atMs: nowMs } : undefined
    return isSame
  }
}

/** Keeps the record open; if the sort order changes, its position is unknown. */
function stillOpen({ open, at }: ListQueryParams, part: Partial<ListQuery>): ListQueryParams {
  if (open === undefined) return {}
  const { page: _, perPage: __, ...rest } = part
  const isSameOrder = isAboutDisplay(rest)
  return { open, ...(isSameOrder && at !== undefined && { at }) }
}

export function queryAfterChange(parts: ListQueryParams, wanted: QueryChange, base: ListQuery) {
  const query = parseListQuery(parts, base)
  const part = typeof wanted === 'function' ? wanted(query) : wanted
  return { part, search: { ...printListQuery(changedQuery(query, part), base), ...stillOpen(parts, part) } }
}

/**
 * Returns the latest URL parameters from the history, even before they are rendered; undefined if another page is
 * loading.
 */
function useNewestParts(): () => ListQueryParams | undefined {
  const { history, options } = useRouter()
  const { pathname } = useLocation()
  return useCallback(() => {
    const { location } = history
    return location.pathname === pathname ? options.parseSearch(location.search) : undefined
  }, [history, options, pathname])
}

export function useListQuery(collection: string, base: ListQuery = DEFAULT_LIST_QUERY): ListQueryState {
  const { history } = useRouter()
  const navigate = useNavigate()
  const { search: drawn } = useLocation()
  const newestParts = useNewestParts()
  const key = useSyncExternalStore(history.subscribe, () => {
    const newest = newestParts()
    // Parameters for another view can't be applied before that view is rendered.
    const parts = newest && newest['view'] === drawn['view'] ? newest : drawn
    return JSON.stringify(printListQuery(parseListQuery(parts, base), base))
  })
  // Memoized, so that the same URL returns the same object.
  const query = useMemo(() => parseListQuery(JSON.parse(key), base), [key, base])

  const goesOn = useRef(steps())
  const move = useCallback(
    async (wanted: QueryChange, step?: 'replace') => {
      const parts = newestParts()
      // The user has left the page, so a delayed change is dropped.
      if (!parts) return
      const { part, search } = queryAfterChange(parts, wanted, base)
      const replace = goesOn.current(part, Date.now()) || step === 'replace'
      await navigate({ to: '/collections/$collection', params: { collection }, search, replace })
    },
    [navigate, newestParts, collection, base],
  )
  const change = useCallback(
    (wanted: QueryChange, step?: 'replace', current?: QueryChange) => {
      void (current === undefined ? move(wanted, step) : move(current, 'replace').then(() => move(wanted, step)))
    },
    [move],
  )
  return { query, change }
}
