import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { printFilter } from '#domain/query/print-filter.ts'
import type { Refusal } from './own-jobs.ts'

/** A list of records that were refused, by the name of their collection. */
export function useShowRefused(): (collection: string, refusals: readonly Refusal[]) => void {
  const navigate = useNavigate()
  return useCallback(
    (collection, refusals) => {
      const ids = refusals.flatMap(({ records }) => records).slice(0, MOST_SHOWN)
      const filter = printFilter({ field: 'id', op: 'in', value: ids })
      void navigate({ to: '/collections/$collection', params: { collection }, search: { filter } })
    },
    [navigate],
  )
}

/** As many ids as the address of a list has room for. */
const MOST_SHOWN = 300
