import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import {
  type ListQueryParams,
  type ListQuery,
  changedQuery,
  DEFAULT_LIST_QUERY,
  printListQuery,
  parseListQuery,
} from './list-query-params.ts'

/** What is to change, or how it follows from what was asked for last. */
export type QueryChange = Partial<ListQuery> | ((query: ListQuery) => Partial<ListQuery>)

/** What a list shows, and the way to change it. */
export type ListQueryState = {
  readonly query: ListQuery
  /**
   * Every change is a step one can go back from; but the filter or the search changed again and again, as it is while one
   * types, is one step. A function is given what was asked for last, which may not be drawn yet.
   */
  readonly change: (part: QueryChange) => void
}

/** Who changes the same part again within this time goes on with what they were doing, in ms. */
const ONE_STEP_MS = 2500

/** Tells whether a change goes on with the one before: the words of one part, typed further. */
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

/** The open record stays open; in another order nobody knows yet where it stands. */
function stillOpen({ open, at }: ListQueryParams, part: Partial<ListQuery>): ListQueryParams {
  if (open === undefined) return {}
  const isSameOrder = Object.keys(part).every((name) => name === 'page' || name === 'perPage')
  return { open, ...(isSameOrder && at !== undefined && { at }) }
}

/** The address after a change of what it asks for, and the part that has changed. */
export function queryAfterChange(parts: ListQueryParams, wanted: QueryChange, base: ListQuery) {
  const query = parseListQuery(parts, base)
  const part = typeof wanted === 'function' ? wanted(query) : wanted
  return { part, search: { ...printListQuery(changedQuery(query, part), base), ...stillOpen(parts, part) } }
}

/**
 * What the address of this list says, read where it is kept: the router draws an address some time after it was asked for,
 * and whatever is changed meanwhile would build on the one before. Undefined while another page is on its way.
 */
function useNewestParts(): () => ListQueryParams | undefined {
  const { history, options } = useRouter()
  const { pathname } = useLocation()
  return useCallback(() => {
    const { location } = history
    return location.pathname === pathname ? options.parseSearch(location.search) : undefined
  }, [history, options, pathname])
}

/** What the list of this page shows, kept in its address as far as it differs from the view in force. */
export function useListQuery(collection: string, base: ListQuery = DEFAULT_LIST_QUERY): ListQueryState {
  const { history } = useRouter()
  const navigate = useNavigate()
  const { search: drawn } = useLocation()
  const newestParts = useNewestParts()
  const key = useSyncExternalStore(history.subscribe, () => {
    const newest = newestParts()
    // What another page or view shows is not known before it is there.
    const parts = newest && newest['view'] === drawn['view'] ? newest : drawn
    return JSON.stringify(printListQuery(parseListQuery(parts, base), base))
  })
  // The same address gives the same object, whatever else the router has drawn anew.
  const query = useMemo(() => parseListQuery(JSON.parse(key), base), [key, base])

  const goesOn = useRef(steps())
  const change = useCallback(
    (wanted: QueryChange) => {
      const parts = newestParts()
      // Whoever has left is not fetched back by what they were typing.
      if (!parts) return
      const { part, search } = queryAfterChange(parts, wanted, base)
      const replace = goesOn.current(part, Date.now())
      void navigate({ to: '/collections/$collection', params: { collection }, search, replace })
    },
    [navigate, newestParts, collection, base],
  )
  return { query, change }
}
