import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChangedBody } from '#api/bulk.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import { listCells } from '../cells/list-cells.ts'
import { type BulkEdit, changesBy, updateOf } from './bulk-edit.ts'
import { records, refusedText } from './job-words.ts'
import { countRefused, type Refusal } from './own-jobs.ts'
import { type Picked, pickedCount, whereOf } from './picked.ts'
import { refreshList, sendBulk } from './send-bulk.ts'
import { useShowRefused } from './shown-records.ts'

/** Whether refused records refuse all, or are left. */
type OfRefused = 'refuse' | 'leave'

/** Changes what is selected; what was done in one go has a way back, by its toast and by the keys of the list. */
export function useEditPicked(collection: KnownCollection, picked: Picked, onDone: () => void) {
  const queryClient = useQueryClient()
  const showRefused = useShowRefused()
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ edit, refused }: { readonly edit: BulkEdit; readonly refused: OfRefused }) =>
      sendBulk(queryClient, collection.name, {
        where: whereOf(picked),
        update: updateOf(edit),
        refused,
        ...(canBeUndone(edit) && { remember: true }),
      }),
    onSuccess: (said, { edit }) => {
      if (said) {
        const undo = noteStep(collection, edit, said, () => refreshList(queryClient, collection.name))
        tellChanged(edit, said, { picked, undo, onShow: (refusals) => showRefused(collection.name, refusals) })
      }
      onDone()
    },
  })
  return { run: (edit: BulkEdit, refused: OfRefused) => mutate({ edit, refused }), isPending, error }
}

/** Documents are held whole on the page of a record alone. */
const canBeUndone = ({ field }: BulkEdit): boolean => field.kind !== 'rich-text'

/** Puts the change among what was done in the list; answers the way back, where there is one. */
function noteStep(
  collection: KnownCollection,
  edit: BulkEdit,
  { before = [] }: ChangedBody,
  refresh: () => Promise<void>,
): (() => void) | undefined {
  const changes = changesBy(edit, before)
  if (changes.length === 0) return undefined
  let back: (() => Promise<void>) | undefined
  const versions = new Map(before.map(({ id, version }) => [id, version - 1]))
  listCells(collection.id).withHands((hands) => {
    back = hands.changedElsewhere(changes, versions)
  })
  return () => void back?.().then(refresh)
}

type Told = {
  readonly picked: Picked
  readonly undo: (() => void) | undefined
  readonly onShow: (refusals: readonly Refusal[]) => void
}

function tellChanged({ field }: BulkEdit, said: ChangedBody, { picked, undo, onShow }: Told): void {
  const refusals = said.refused ?? []
  const text = t('Changed {label} in {records}', { label: field.label, records: records(said.updated) })
  const beside = (pickedCount(picked) ?? said.updated) - said.updated - countRefused(refusals)
  const left =
    beside > 0
      ? t('{records} stay as they are: they are not yours to change.', { records: records(beside) })
      : undefined
  const detail = [refusedText(refusals), left].filter((part) => part !== undefined).join(' ')
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
