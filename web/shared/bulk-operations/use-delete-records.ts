import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { deleteWithUndo } from './delete-records.ts'

type Named = {
  readonly ids: readonly string[]
  /** The title of a single record. */
  readonly title?: string
  /** Called once they are deleted. */
  readonly onGone?: () => void
}

/** Deletes records that are named by their ids. */
export function useDeleteRecords(collection: string) {
  const queryClient = useQueryClient()
  return useCallback(
    ({ ids, title, onGone }: Named) =>
      deleteWithUndo(queryClient, { collection, where: { only: [...ids] }, title, count: ids.length, onGone }),
    [collection, queryClient],
  )
}
