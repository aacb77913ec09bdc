import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import type { SkippedRecords } from './user-jobs.ts'

export function useShowRecords(): (collection: string, ids: readonly string[]) => void {
  const navigate = useNavigate()
  return useCallback(
    (collection, ids) => {
      const filter = printFilter({ field: 'id', op: 'in', value: ids.slice(0, MAX_SHOWN_IDS) })
      void navigate({ to: '/collections/$collection', params: { collection }, search: { filter } })
    },
    [navigate],
  )
}

export function useShowSkipped(): (collection: string, refusals: readonly SkippedRecords[]) => void {
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

/** The maximum number of ids that fit into a list URL. */
export const MAX_SHOWN_IDS = 300
