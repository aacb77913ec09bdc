import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import {
  type AddressParts,
  type AddressQuery,
  changedQuery,
  PLAIN_QUERY,
  printAddress,
  readAddress,
} from './query-in-url.ts'

/** What is to change, or how it follows from what was asked for last. */
export type QueryChange = Partial<AddressQuery> | ((query: AddressQuery) => Partial<AddressQuery>)

/** What a list shows, and the way to change it. */
export type AddressQueryState = {
  readonly query: AddressQuery
  /**
   * Every change is a step one can go back from; but the filter or the search changed again and again, as it is while one
   * types, is one step. A function is given what was asked for last, which the address may not show yet.
   */
  readonly change: (part: QueryChange) => void
}

/** Who changes the same part again within this time goes on with what they were doing, in ms. */
const ONE_STEP_MS = 2500

/** Tells whether a change goes on with the one before: the words of one part, typed further. */
export function steps(): (part: Partial<AddressQuery>, nowMs: number) => boolean {
  let before: { readonly name: string; readonly atMs: number } | undefined
  return (part, nowMs) => {
    const [name = '', ...others] = Object.keys(part)
    const isTyped = others.length === 0 && (name === 'filter' || name === 'search')
    const isSame = isTyped && before?.name === name && nowMs - before.atMs < ONE_STEP_MS
    before = isTyped ? { name, atMs: nowMs } : undefined
    return isSame
  }
}

/**
 * Remembers what was asked for and does not stand in the address yet, so that an address which comes while more was asked
 * for is not taken for the newest.
 */
export function asks() {
  let waiting: readonly string[] = []
  return {
    ask: (address: string) => {
      waiting = [...waiting, address]
    },
    /** Whether an address that has come is one of ours that another one follows. */
    isOutdated: (address: string): boolean => {
      const at = waiting.indexOf(address)
      waiting = at < 0 ? [] : waiting.slice(at + 1)
      return waiting.length > 0
    },
  }
}

/** The open record stays open; in another order nobody knows yet where it stands. */
function stillOpen({ open, at }: AddressParts, part: Partial<AddressQuery>): AddressParts {
  if (open === undefined) return {}
  const isSameOrder = Object.keys(part).every((name) => name === 'page' || name === 'perPage')
  return { open, ...(isSameOrder && at !== undefined && { at }) }
}

/** What the list of this page shows, kept in its address as far as it differs from the view in force. */
export function useAddressQuery(collection: string, base: AddressQuery = PLAIN_QUERY): AddressQueryState {
  const parts = useSearch({ strict: false })
  const navigate = useNavigate()
  const key = JSON.stringify(printAddress(readAddress(parts, base), base))
  // The same address gives the same object, whatever else the router has drawn anew.
  const query = useMemo(() => readAddress(JSON.parse(key), base), [key, base])

  const latest = useRef(query)
  const asked = useRef(asks())
  const goesOn = useRef(steps())
  useEffect(() => {
    if (!asked.current.isOutdated(key)) latest.current = query
  }, [query, key])

  const change = useCallback(
    (wanted: QueryChange) => {
      const part = typeof wanted === 'function' ? wanted(latest.current) : wanted
      latest.current = changedQuery(latest.current, part)
      const list = printAddress(latest.current, base)
      asked.current.ask(JSON.stringify(list))
      void navigate({
        to: '/collections/$collection',
        params: { collection },
        search: (before: AddressParts) => ({ ...list, ...stillOpen(before, part) }),
        replace: goesOn.current(part, Date.now()),
      })
    },
    [navigate, collection, base],
  )
  return { query, change }
}
