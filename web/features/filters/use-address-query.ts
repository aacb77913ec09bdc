import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type AddressQuery, changedQuery, printAddress, readAddress } from './query-in-url.ts'

/** What a list shows, and the way to change it. */
export type AddressQueryState = {
  readonly query: AddressQuery
  /** Words being typed replace their address; everything else is a step one can go back from. */
  readonly change: (part: Partial<AddressQuery>) => void
}

/** What the list of this page shows, kept in its address. */
export function useAddressQuery(collection: string): AddressQueryState {
  const parts = useSearch({ strict: false })
  const navigate = useNavigate()
  const key = JSON.stringify(printAddress(readAddress(parts)))
  // The same address gives the same object, whatever else the router has drawn anew.
  const query = useMemo(() => readAddress(JSON.parse(key)), [key])

  const change = useCallback(
    (part: Partial<AddressQuery>) => {
      const isTyped = 'search' in part || 'filter' in part
      const search = printAddress(changedQuery(query, part))
      void navigate({ to: '/collections/$collection', params: { collection }, search, replace: isTyped })
    },
    [navigate, collection, query],
  )
  return { query, change }
}
