import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { failureText } from '#web/client/problem-text.ts'
import { countOf } from '#web/fields/format-value.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { pendingDeletions } from './pending-deletions.ts'
import { forgetLists, removeRecords } from './record-queries.ts'

/** Records that are shown as gone. */
export const useLeavingRecords = (): ReadonlySet<string> =>
  useSyncExternalStore(pendingDeletions.subscribe, pendingDeletions.snapshot)

type Named = { readonly ids: readonly string[]; readonly title?: string }

const nameOf = ({ ids, title }: Named): string =>
  title === undefined ? countOf(ids.length, 'record', 'records') : `“${title}”`

/** Deletes records with a way back: nothing is sent before the time to undo is over. */
export function useDeleteRecords(collection: string) {
  const queryClient = useQueryClient()
  return useCallback(
    (named: Named) => {
      const toastId = `delete-${named.ids.join('-').slice(0, 200)}`
      const commit = async () => {
        notify.dismiss(toastId)
        await removeRecords(collection, named.ids).then(
          () => forgetLists(queryClient, collection),
          (error: unknown) =>
            void notify.error(`${nameOf(named)} could not be deleted`, {
              detail: `${failureText(error).detail} Nothing was deleted.`,
            }),
        )
        await queryClient.refetchQueries({ queryKey: ['records', collection], type: 'active' })
      }
      const { undo } = pendingDeletions.begin({ ids: named.ids, commit })
      notify.info(`Deleted ${nameOf(named)}`, {
        id: toastId,
        shownMs: 'stay',
        action: {
          label: 'Undo',
          run: () => {
            undo()
            notify.dismiss(toastId)
          },
        },
      })
    },
    [collection, queryClient],
  )
}
