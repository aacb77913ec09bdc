import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChangedBody } from '#api/bulk.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { type BulkEdit, changesBy, updateOf } from './bulk-edit.ts'
import { countSkipped, describeSkipped, records, type SkippedRecords } from '#web/shared/bulk-operations/user-jobs.ts'

import { type SelectedRecords, countOfSelected, whereOf } from '#web/shared/bulk-operations/selected-records.ts'
import { refreshList, sendBulk } from '#web/shared/bulk-operations/send-bulk.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'

/** Whether rejected records reject the whole change or are skipped. */
type OnSkipped = 'refuse' | 'leave'

/** Immediate changes can be undone by toast and keyboard. */
export function useEditSelected(collection: TypedCollection, picked: SelectedRecords, onDone: () => void) {
  const queryClient = useQueryClient()
  const showRefused = useShowSkipped()
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ edit, refused }: { readonly edit: BulkEdit; readonly refused: OnSkipped }) =>
      sendBulk(queryClient, collection.name, {
        where: whereOf(picked),
        update: updateOf(edit),
        refused,
        ...(canBeUndone(edit) && { remember: true }),
      }),
    onSuccess: (said, { edit }) => {
      if (said) {
        const undo = recordUndoStep(collection, edit, said, () => refreshList(queryClient, collection.name))
        notifyChanged(edit, said, { picked, undo, onShow: (refusals) => showRefused(collection.name, refusals) })
      }
      onDone()
    },
  })
  return { run: (edit: BulkEdit, refused: OnSkipped) => mutate({ edit, refused }), isPending, error }
}

/** The list doesn't hold complete documents. */
const canBeUndone = ({ field }: BulkEdit): boolean => field.kind !== 'rich-text'

function recordUndoStep(
  collection: TypedCollection,
  edit: BulkEdit,
  { before = [] }: ChangedBody,
  refresh: () => Promise<void>,
): (() => void) | undefined {
  const changes = changesBy(edit, before)
  if (changes.length === 0) return undefined
  let back: (() => Promise<void>) | undefined
  const versions = new Map(before.map(({ id, version }) => [id, version - 1]))
  listEdits(collection.id).withHands((hands) => {
    back = hands.changedElsewhere(changes, versions)
  })
  return () => void back?.().then(refresh)
}

type EditResult = {
  readonly picked: SelectedRecords
  readonly undo: (() => void) | undefined
  readonly onShow: (refusals: readonly SkippedRecords[]) => void
}

function notifyChanged({ field }: BulkEdit, said: ChangedBody, { picked, undo, onShow }: EditResult): void {
  const refusals = said.refused ?? []
  const text = t('Updated {label} in {records}', { label: field.label, records: records(said.updated) })
  const beside = (countOfSelected(picked) ?? said.updated) - said.updated - countSkipped(refusals)
  const left =
    beside > 0 ? t('{records} not updated: you don’t have permission.', { records: records(beside) }) : undefined
  const detail = [describeSkipped(refusals), left].filter((part) => part !== undefined).join(' ')
  const id = `bulk-${crypto.randomUUID()}`
  const run = (): void => {
    notify.dismiss(id)
    undo?.()
  }
  const undoing = undo && { action: { label: t('Undo'), run } }
  const showing = { action: { label: t('Show them'), run: () => onShow(refusals) } }
  const options = { id, ...(detail !== '' && { detail }) }
  if (refusals.length > 0) notify.warning(text, { ...options, ...showing })
  else notify.success(text, { ...options, ...undoing })
}
