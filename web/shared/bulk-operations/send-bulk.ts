import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { undoChangeSet, type UndoResult } from '#api/activity.ts'
import { bulkChange, type ChangedBody } from '#api/bulk.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { serverTranslator } from '#web/i18n/server-messages.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'
import {
  describeReasons,
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
    await followJob(queryClient, said.job)
    return undefined
  }
  return said.refused ? { ...said, refused: translateSkipReasons(said.refused, await serverTranslator()) } : said
}

async function followJob(queryClient: QueryClient, job: string): Promise<void> {
  rememberStarted(job)
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

type UndoableChange = {
  readonly changeSet: string
  /** Names of the changed collections. */
  readonly collections: readonly string[]
}

/** Undoes a change and offers to redo it. A large change is undone by a job, which the header shows. */
export async function undoChange(queryClient: QueryClient, { changeSet, collections }: UndoableChange): Promise<void> {
  const id = `undo-${changeSet}`
  const endProgress = announceProgress(`${id}-progress`, t('Undoing…'))
  const undo = async (): Promise<void> => {
    const said = await call(undoChangeSet, { params: { changeSet } })
    if ('job' in said) return followJob(queryClient, said.job)
    for (const collection of collections) await refreshList(queryClient, collection)
    const ofDefinitions =
      said.definitions === undefined
        ? []
        : [queryKeys.collections, queryKeys.viewNames, queryKeys.dashboards, ['views']]
    for (const queryKey of [queryKeys.home, queryKeys.trash, queryKeys.activity, ...ofDefinitions])
      void queryClient.invalidateQueries({ queryKey })
    const redo = said.changeSet
    await notifyUndone(
      id,
      said,
      redo === undefined ? {} : { action: redoAction(queryClient, { changeSet: redo, collections }) },
    )
  }
  const fail = (error: unknown): void => {
    notify.error(t('Couldn’t undo'), {
      id: `${id}-failed`,
      detail: describeError(error).detail,
      action: { label: t('Try again'), run: () => void undoChange(queryClient, { changeSet, collections }) },
    })
  }
  await undo().then(undefined, fail).finally(endProgress)
}

const redoAction = (queryClient: QueryClient, change: UndoableChange) => ({
  label: t('Redo'),
  run: () => void undoChange(queryClient, change),
})

export const undoAction = (queryClient: QueryClient, change: UndoableChange) => ({
  label: t('Undo'),
  run: () => void undoChange(queryClient, change),
  isLasting: true as const,
})

type Undone = Pick<UndoResult, 'restored' | 'kept' | 'refused' | 'lost'> & Partial<UndoResult>

type Options = Parameters<typeof notify.success>[1]

export async function notifyUndone(id: string, result: Undone, options: Options = {}): Promise<void> {
  const { kept = [], refused = [], lost = [] } = result
  const text = undoneText(result)
  const reasons = [...refused, ...lost, ...kept]
  if (reasons.length === 0) {
    notify.success(text, { id, ...options })
    return
  }
  const detail = describeReasons(translateSkipReasons(reasons, await serverTranslator()))
  notify.warning(text, { id, detail, stays: true, ...options })
}

function undoneText({ restored, changed = 0, deleted = 0, definitions = [], kept = [], refused = [] }: Undone): string {
  const parts = [
    definitions.length > 0 && t('Change undone'),
    changed > 0 && t('Set back {records}', { records: records(changed) }),
    deleted > 0 && t('Deleted {count}', { count: records(deleted) }),
  ].filter((part) => part !== false)
  const isNothing = parts.length === 0 && restored === 0 && kept.length + refused.length > 0
  if (isNothing) return t('Nothing was undone')
  if (restored > 0 || parts.length === 0) parts.unshift(t('Restored {records}', { records: records(restored) }))
  return parts.join(' · ')
}
