import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { failureText } from '#web/client/problem-text.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { quoted } from '#web/language/quoted.ts'
import { plural, t } from '#web/language/t.ts'
import { pendingDeletions } from './pending-deletions.ts'
import { forgetLists, removeRecords } from './record-queries.ts'

/** Records that are shown as gone. */
export const useLeavingRecords = (): ReadonlySet<string> =>
  useSyncExternalStore(pendingDeletions.subscribe, pendingDeletions.snapshot)

type Named = { readonly ids: readonly string[]; readonly title?: string }

const nameOf = ({ ids, title }: Named): string =>
  title === undefined ? plural(ids.length, '{n} record', '{n} records') : quoted(title)

/** Deletes records with a way back: nothing is sent before the time to undo is over. */
export function useDeleteRecords(collection: string) {
  const queryClient = useQueryClient()
  return useCallback(
    (named: Named) => {
      const toastId = `delete-${named.ids.join('-').slice(0, 200)}`
      const commit = async () => {
        notify.dismiss(toastId)
        await removeRecords(collection, named.ids).then(
          (count) => {
            if (count < named.ids.length) tellStaying(named.ids.length - count)
            forgetLists(queryClient, collection)
          },
          (error: unknown) =>
            void notify.error(t('{nameOf} could not be deleted', { nameOf: nameOf(named) }), {
              detail: t('{detail} Nothing was deleted.', { detail: failureText(error).detail }),
            }),
        )
        await queryClient.refetchQueries({ queryKey: ['records', collection], type: 'active' })
      }
      const { undo } = pendingDeletions.begin({ ids: named.ids, commit })
      notify.info(t('Deleted {nameOf}', { nameOf: nameOf(named) }), {
        id: toastId,
        action: {
          label: t('Undo'),
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

/** They are gone already, or are not theirs to delete; the list shows which. */
function tellStaying(count: number): void {
  notify.info(plural(count, '{n} record was not deleted', '{n} records were not deleted'), {
    detail: t('They are not yours to delete, or are gone already.'),
    stays: true,
  })
}
