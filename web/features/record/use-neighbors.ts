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

export type ListPosition = {
  readonly listing: Listing
  readonly ordinal: number
  readonly total?: number | undefined
}

const NO_NEIGHBORS: Neighbors = { previous: undefined, next: undefined, ordinal: 0 }

/** Undefined at the ends and without a list. */
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

/** Prefetches neighbors, so that stepping is immediate. */
function usePrefetchNeighbors(collection: string, id: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (id === undefined) return undefined
    // Fast stepping skips them.
    const timer = setTimeout(() => void queryClient.prefetchQuery(recordQuery(collection, id)), 150)
    return () => clearTimeout(timer)
  }, [queryClient, collection, id])
}
