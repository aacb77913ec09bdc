import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { printFilter } from '#domain/query/print-filter.ts'
import type { Refusal } from './own-jobs.ts'

/** Shows a list of these records alone, by the name of their collection. */
export function useShowRecords(): (collection: string, ids: readonly string[]) => void {
  const navigate = useNavigate()
  return useCallback(
    (collection, ids) => {
      const filter = printFilter({ field: 'id', op: 'in', value: ids.slice(0, MOST_SHOWN) })
      void navigate({ to: '/collections/$collection', params: { collection }, search: { filter } })
    },
    [navigate],
  )
}

/** A list of records that were refused. */
export function useShowRefused(): (collection: string, refusals: readonly Refusal[]) => void {
  const showRecords = useShowRecords()
  return useCallback(
    (collection, refusals) =>
      showRecords(
        collection,
        refusals.flatMap(({ records }) => records),
      ),
    [showRecords],
  )
}

/** As many ids as the address of a list has room for. */
export const MOST_SHOWN = 300
