import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type DeletionWay, pendingDeletions } from '#web/client/pending-deletions.ts'
import { failureText } from '#web/client/problem-text.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { quoted } from '#web/language/quoted.ts'
import { plural, t } from '#web/language/t.ts'
import { forgetLists, removeRecords } from './record-queries.ts'

type Named = { readonly ids: readonly string[]; readonly title?: string }

const nameOf = ({ ids, title }: Named): string =>
  title === undefined ? plural(ids.length, '{n} record', '{n} records') : quoted(title)

/** Deletes records with a way back: nothing is sent before the time to undo is over. */
export function useDeleteRecords(collection: string) {
  const queryClient = useQueryClient()
  return useCallback(
    (named: Named) => {
      const commit = async (way: DeletionWay) => {
        await removeRecords(collection, named.ids, way).then(
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
      const said = t('Deleted {nameOf}', { nameOf: nameOf(named) })
      pendingDeletions.begin({ ids: named.ids, said, commit })
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
