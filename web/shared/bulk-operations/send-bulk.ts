import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { bulkChange, type ChangedBody, type RestoredBody, undoDeletion as endpoint } from '#api/bulk.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'
import {
  describeSkipped,
  records,
  rememberStarted,
  type SkippedRecords,
  translateSkipReasons,
  userJobsQuery,
} from './user-jobs.ts'
import type { BulkBody } from './selected-records.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { t } from '#web/i18n/t.ts'

/**
 * Sends a bulk change and refreshes the list. Returns undefined if the change runs as a job, which the header shows.
 */
export async function sendBulk(
  queryClient: QueryClient,
  collection: string,
  body: BulkBody,
): Promise<ChangedBody | undefined> {
  const said = await postBulk(queryClient, collection, body)
  if (said) await refreshList(queryClient, collection)
  return said
}

/** Sends a bulk change without refreshing the list. */
export async function postBulk(
  queryClient: QueryClient,
  collection: string,
  body: BulkBody,
  manner: { readonly keepalive?: true } = {},
): Promise<ChangedBody | undefined> {
  const said = await call(bulkChange, { params: { collection }, body, ...manner })
  if ('job' in said) {
    await followJob(queryClient)
    return undefined
  }
  return said.refused ? { ...said, refused: translateSkipReasons(said.refused, await serverTranslator()) } : said
}

async function followJob(queryClient: QueryClient): Promise<void> {
  rememberStarted()
  // The job runs even if its status can't be loaded, and reporting a failure would make users start it twice. Resetting
  // the query makes the jobs button load the status again when it mounts.
  await queryClient.fetchQuery({ ...userJobsQuery, staleTime: 0 }).then(
    () => undefined,
    () => void queryClient.resetQueries({ queryKey: userJobsQuery.queryKey }),
  )
}

/** Refetches visible data, except deleted records, and marks other data as stale. */
export async function refreshList(
  queryClient: QueryClient,
  collection: string,
  deleted: readonly string[] = [],
): Promise<void> {
  invalidateLists(queryClient, collection)
  const gone = new Set(deleted.map((id) => queryKeys.record(collection, id).join(' ')))
  const predicate = ({ queryKey }: { readonly queryKey: QueryKey }) => !gone.has(queryKey.join(' '))
  await queryClient.refetchQueries({ queryKey: queryKeys.records(collection), type: 'active', predicate })
}

export function skippedIn(error: unknown): readonly SkippedRecords[] {
  const refused = toCallError(error)?.extra['refused']
  // The error code guarantees this type.
  return Array.isArray(refused) ? (refused as readonly SkippedRecords[]) : []
}

const ANNOUNCE_AFTER_MS = 1000

/** Shows a progress toast after one second; returns a function that closes it. */
export function announceProgress(id: string, text: string): () => void {
  let isSaid = false
  const timer = setTimeout(() => {
    isSaid = true
    notify.info(text, { id, stays: true, isAboutWorkspace: true })
  }, ANNOUNCE_AFTER_MS)
  return () => {
    clearTimeout(timer)
    if (isSaid) notify.dismiss(id)
  }
}

type Deletion = { readonly collection: string; readonly changeSet: string }

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

export const undoAction = (queryClient: QueryClient, deletion: Deletion) => ({
  label: t('Undo'),
  run: () => void undoDeletion(queryClient, deletion),
  isLasting: true as const,
})

export async function notifyRestored(id: string, { restored, refused = [], lost = [] }: RestoredBody): Promise<void> {
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
