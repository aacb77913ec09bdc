import type { QueryClient } from '@tanstack/react-query'
import { undoDeletion as endpoint, type RestoredBody } from '#api/bulk.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { t } from '#web/i18n/t.ts'
import { records, describeSkipped } from './describe-job.ts'
import { translateSkipReasons } from './user-jobs.ts'
import { announceProgress } from './announce-progress.ts'
import { followJob, refreshList } from './send-bulk.ts'

/** A deletion that can be undone, and the collection its records were in. */
export type Deletion = { readonly collection: string; readonly changeSet: string }

/** Undoes a deletion on the server, and says what came back and what did not. */
export async function undoDeletion(queryClient: QueryClient, { collection, changeSet }: Deletion): Promise<void> {
  const id = `undo-${changeSet}`
  const endProgress = announceProgress(`${id}-progress`, t('Restoring…'))
  const restore = async (): Promise<void> => {
    const said = await call(endpoint, { params: { changeSet } })
    if ('job' in said) await followJob(queryClient)
    else {
      await refreshList(queryClient, collection)
      await notifyRestored(id, said)
    }
  }
  const fail = (error: unknown): void => {
    notify.error(t('Couldn’t restore the records'), {
      id: `${id}-failed`,
      detail: describeError(error).detail,
      action: { label: t('Try again'), run: () => void undoDeletion(queryClient, { collection, changeSet }) },
    })
  }
  await restore().then(undefined, fail).finally(endProgress)
}

/** The undo of a deletion, as toasts offer it. */
export const undoAction = (queryClient: QueryClient, deletion: Deletion) => ({
  label: t('Undo'),
  run: () => void undoDeletion(queryClient, deletion),
  isLasting: true as const,
})

async function notifyRestored(id: string, { restored, refused = [], lost = [] }: RestoredBody): Promise<void> {
  const text = t('Restored {records}', { records: records(restored) })
  if (refused.length + lost.length === 0) {
    notify.success(text, { id })
    return
  }
  const words = await serverTranslator()
  const missing = translateSkipReasons(lost, words).map(({ message }) => message)
  const detail = [describeSkipped(translateSkipReasons(refused, words)), ...missing].filter(
    (part) => part !== undefined,
  )
  notify.warning(text, { id, detail: detail.join(' '), stays: true })
}
