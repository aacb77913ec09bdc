import { useQuery } from '@tanstack/react-query'
import { type Listing, neighbourQuery } from './record-list-queries.ts'

/** A record's place in the list it was opened from. */
export type ListPosition = { readonly listing: Listing; readonly ordinal: number }

/** One beside it. */
export type Neighbour = { readonly id: string; readonly ordinal: number }

const NOWHERE: ListPosition = { listing: { filter: '', search: '', sort: '' }, ordinal: -2 }

/** The records before and after this one in its list; undefined where there is none, or where nobody knows the list. */
export function useNeighbours(collection: string, position: ListPosition | undefined, recordId: string) {
  const { listing, ordinal } = position ?? NOWHERE
  const { data: before } = useQuery(neighbourQuery(collection, listing, ordinal - 1))
  const { data: after } = useQuery({
    ...neighbourQuery(collection, listing, ordinal + 1),
    enabled: position !== undefined,
  })
  const beside = (record: { readonly id: string } | null | undefined, at: number): Neighbour | undefined =>
    record && record.id !== recordId ? { id: record.id, ordinal: at } : undefined
  return { previous: beside(before, ordinal - 1), next: beside(after, ordinal + 1) }
}
