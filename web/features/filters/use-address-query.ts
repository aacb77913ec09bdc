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
   * Words being typed replace their address; everything else is a step one can go back from. A function is given what
   * was asked for last, which the address may not show yet.
   */
  readonly change: (part: QueryChange) => void
}

/** What the list of this page shows, kept in its address as far as it differs from the view in force. */
export function useAddressQuery(collection: string, base: AddressQuery = PLAIN_QUERY): AddressQueryState {
  const parts = useSearch({ strict: false })
  const navigate = useNavigate()
  const key = JSON.stringify(printAddress(readAddress(parts, base), base))
  // The same address gives the same object, whatever else the router has drawn anew.
  const query = useMemo(() => readAddress(JSON.parse(key), base), [key, base])

  const latest = useRef(query)
  useEffect(() => {
    latest.current = query
  }, [query])

  const change = useCallback(
    (wanted: QueryChange) => {
      const part = typeof wanted === 'function' ? wanted(latest.current) : wanted
      const isTyped = 'search' in part || 'filter' in part
      latest.current = changedQuery(latest.current, part)
      const list = printAddress(latest.current, base)
      void navigate({
        to: '/collections/$collection',
        params: { collection },
        // The open record stays open; where it stands in the other list is not known yet.
        search: ({ open }: AddressParts) => ({ ...list, ...(open !== undefined && { open }) }),
        replace: isTyped,
      })
    },
    [navigate, collection, base],
  )
  return { query, change }
}
