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

/** What is deleted. */
export type DeletionInput = {
  readonly collection: string
  readonly where: BulkBody['where']
  /** The title of a single record. */
  readonly title?: string | undefined
  /** How many records are meant, as far as they may be deleted. */
  readonly count: number
  /** Whether the user confirmed this number: then the server refuses to delete more. */
  readonly isConfirmed?: boolean
  /** Called once the server has deleted, before the lists are read again. */
  readonly onGone?: (() => void) | undefined
}

/** What came of it: `changed` has the number that the same query finds by now. */
export type DeletionResult = { readonly is: 'gone' | 'failed' } | { readonly is: 'changed'; readonly count: number }

let sent = 0

/**
 * Deletes at once. “Deleted” is said when the server has done it, with a way to undo it there; what failed says why, and
 * the list shows what is true.
 */
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
      if (where.only) deletedRecords.announce(where.only)
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

/** A request outlives its page only while it is small. */
const MAX_KEEPALIVE_IDS = 1000

const canKeepAlive = ({ only = [], except = [] }: BulkBody['where']): { readonly keepalive?: true } =>
  only.length + except.length > MAX_KEEPALIVE_IDS ? {} : { keepalive: true }

/** Until the server has answered, a page that is left asks first. */
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
    action: undoAction(queryClient, { collection, changeSet }),
    ...(deleted <= MAX_LISTED && { isBrief: true as const }),
  }
  notify.success(t('Deleted {name}', { name }), { id, ...(left > 0 && { detail: describeNotDeleted(left) }), ...undo })
}

/** The undo of more than this many records is offered until it is answered. */
const MAX_LISTED = 10

const notifyNotDeleted = (count: number): string => notify.error(describeNotDeleted(count))

const describeNotDeleted = (count: number): string =>
  plural(
    count,
    '{n} record wasn’t deleted: you don’t have permission, or it no longer exists.',
    '{n} records weren’t deleted: you don’t have permission, or they no longer exist.',
  )

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
