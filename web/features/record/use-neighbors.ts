import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import {
  blocksAround,
  type Listing,
  type Neighbors,
  neighborsOf,
  placesQuery,
  POSITIONS_PER_BLOCK,
} from '#web/data/queries/record-list-queries.ts'
import { recordQuery } from '#web/data/queries/record-queries.ts'

/** A record's place in the list it was opened from. */
export type ListPosition = {
  readonly listing: Listing
  readonly ordinal: number
  /** How many records the list has, where that is known. */
  readonly total?: number | undefined
}

const NO_NEIGHBORS: Neighbors = { previous: undefined, next: undefined, ordinal: 0 }

/** The records before and after this one in its list; undefined where there is none, or where nobody knows the list. */
export function useNeighbors(collection: string, position: ListPosition | undefined, recordId: string): Neighbors {
  const blocks = position ? blocksAround(position.ordinal) : []
  const known = useQueries({
    queries: position ? blocks.map((block) => placesQuery(collection, position.listing, block)) : [],
  })
  const idAt = (ordinal: number): string | undefined =>
    known[blocks.indexOf(Math.floor(ordinal / POSITIONS_PER_BLOCK))]?.data?.[ordinal % POSITIONS_PER_BLOCK]
  const beside = position ? neighborsOf({ idAt, id: recordId, ordinal: position.ordinal }) : NO_NEIGHBORS
  usePrefetchNeighbors(collection, beside.next?.id)
  usePrefetchNeighbors(collection, beside.previous?.id)
  return beside
}

/** The records beside are read before anybody goes there, so that a step shows them at once. */
function usePrefetchNeighbors(collection: string, id: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (id === undefined) return undefined
    // Whoever steps on quickly passes them by.
    const timer = setTimeout(() => void queryClient.prefetchQuery(recordQuery(collection, id)), 150)
    return () => clearTimeout(timer)
  }, [queryClient, collection, id])
}
