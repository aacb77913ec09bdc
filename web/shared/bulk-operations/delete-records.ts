import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { deletedRecords } from '#web/data/queries/record-queries.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { plural, t } from '#web/i18n/t.ts'
import { records } from './user-jobs.ts'
import type { BulkBody } from './selected-records.ts'
import { announceProgress, postBulk, refreshList, undoAction } from './send-bulk.ts'
import { useCallback } from 'react'

export type DeletionInput = {
  readonly collection: string
  readonly where: BulkBody['where']
  readonly title?: string | undefined
  /** Number of records that the user has permission to delete. */
  readonly count: number
  /** Whether the user confirmed `count`; if so, the server refuses to delete more records. */
  readonly isConfirmed?: boolean
  /** Called after the server has deleted the records, before lists are refreshed. */
  readonly onGone?: (() => void) | undefined
}

/** `changed` contains the number of records that the query now matches. */
export type DeletionResult = { readonly is: 'gone' | 'failed' } | { readonly is: 'changed'; readonly count: number }

let sent = 0

/** Deletes records without a delay; after the response, announces success and offers a server-side undo. */
export async function deleteWithUndo(queryClient: QueryClient, deleting: DeletionInput): Promise<DeletionResult> {
  const { collection, where, count, isConfirmed = false, title } = deleting
  const id = `deletion-${(sent += 1)}`
  const name = title === undefined ? records(count) : quoted(title)
  const endProgress = announceProgress(`${id}-progress`, t('Deleting {name}…', { name }))
  const freePage = holdPage()
  const body = { where, delete: true, ...(isConfirmed && { expected: count }) } as const
  const end = await postBulk(queryClient, collection, body, canKeepAlive(where)).then(
    (said): DeletionResult => {
      endProgress()
      if (said?.deleted === 0) {
        notifyNotDeleted(count)
        return { is: 'failed' }
      }
      if (where.only) deletedRecords.emit(new Set(where.only))
      deleting.onGone?.()
      if (said) notifyDeleted(queryClient, id, deleting, said)
      return { is: 'gone' }
    },
    (error: unknown): DeletionResult => {
      endProgress()
      const failure = toCallError(error)
      const now = failure?.extra['count']
      if (failure?.code === 'count-changed' && typeof now === 'number') return { is: 'changed', count: now }
      notify.error(t('Couldn’t delete {name}', { name }), { id, detail: describeError(error).detail })
      return { is: 'failed' }
    },
  )
  freePage()
  await refreshList(queryClient, collection, where.only)
  return end
}

/** Browsers limit the size of keepalive requests. */
const MAX_KEEPALIVE_IDS = 1000

const canKeepAlive = ({ only = [], except = [] }: BulkBody['where']): { readonly keepalive?: true } =>
  only.length + except.length > MAX_KEEPALIVE_IDS ? {} : { keepalive: true }

/** Warns if the user leaves the page before the server has responded. */
function holdPage(): () => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

type DeletionNotice = { readonly deleted: number; readonly changeSet?: string | undefined }

function notifyDeleted(
  queryClient: QueryClient,
  id: string,
  { collection, title, where, count }: DeletionInput,
  { deleted, changeSet }: DeletionNotice,
): void {
  const name = title === undefined ? records(deleted) : quoted(title)
  const left = where.only ? count - deleted : 0
  const undo = changeSet && {
    action: undoAction(queryClient, { collections: [collection], changeSet }),
    ...(deleted <= MAX_LISTED && { isBrief: true as const }),
  }
  notify.success(t('Deleted {name}', { name }), { id, ...(left > 0 && { detail: describeNotDeleted(left) }), ...undo })
}

/** Above this number of records, the undo toast stays until dismissed. */
const MAX_LISTED = 10

export const notifyNotDeleted = (count: number): string => notify.error(describeNotDeleted(count))

const describeNotDeleted = (count: number): string =>
  plural(
    count,
    '{n} record wasn’t deleted: you don’t have permission, or it no longer exists.',
    '{n} records weren’t deleted: you don’t have permission, or they no longer exist.',
  )

type Named = {
  readonly ids: readonly string[]
  /** The record's title, if there is only one. */
  readonly title?: string
  readonly onGone?: () => void
}

export function useDeleteRecords(collection: string) {
  const queryClient = useQueryClient()
  return useCallback(
    ({ ids, title, onGone }: Named) =>
      deleteWithUndo(queryClient, { collection, where: { only: [...ids] }, title, count: ids.length, onGone }),
    [collection, queryClient],
  )
}
