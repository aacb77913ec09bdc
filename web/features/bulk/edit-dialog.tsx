import { SegmentedControl } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ChangedBody } from '#api/bulk.ts'
import type { Field } from '#domain/fields/field.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { t } from '#web/i18n/t.ts'
import {
  countOfSelected,
  describeSelected,
  outOfViewText,
  runsAsJob,
  type SelectedRecords,
  whereOf,
} from '#web/shared/bulk-operations/selected-records.ts'
import { refreshList, sendBulk, skippedIn } from '#web/shared/bulk-operations/send-bulk.ts'
import { useShowSkipped } from '#web/shared/bulk-operations/show-records.ts'
import { countSkipped, describeSkipped, records, type SkippedRecords } from '#web/shared/bulk-operations/user-jobs.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { valueError } from '#web/shared/cell-editing/validate-cells.ts'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import '#web/shared/fields/record-form.css'
import {
  type BulkAction,
  bulkActionsOf,
  type BulkEdit,
  bulkFields,
  changesBy,
  emptyValueOf,
  updateOf,
} from './bulk-edit.ts'
import './bulk.css'
import { SkippedNotice } from './skipped-notice.tsx'

type EditFormProps = Omit<EditDialogProps, 'onClose'> & { readonly onCancel: () => void }

function EditForm({ collection, picked, outOfView, onCancel, onDone }: EditFormProps) {
  const [edit, setEdit] = useState<BulkEdit>()
  const [fault, setFault] = useState<string>()
  const { run, isPending, error } = useEditSelected(collection, picked, onDone)
  const change = (next: BulkEdit) => {
    setFault(undefined)
    setEdit(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = edit && errorOf(edit)
    if (wrong !== undefined) setFault(wrong)
    else if (edit && isWhole(edit) && fault === undefined && !isPending) run(edit, 'refuse')
  }
  return (
    <form onSubmit={submit} className="record-form">
      <FieldSelect collection={collection} edit={edit} onEdit={change} />
      {edit && <ActionSelect edit={edit} onEdit={change} />}
      {edit && edit.way !== 'empty' && (
        <FieldInput
          key={edit.field.id}
          field={optional(edit.field)}
          label={LABELS[edit.way](edit.field.label)}
          value={edit.value}
          onChange={(value) => change({ ...edit, value })}
          onFault={setFault}
          error={fault ?? partMessage(error, edit.field.name)}
          place={{ collection: collection.name }}
        />
      )}
      {edit && error && (
        <EditRejections
          collection={collection}
          edit={edit}
          error={error}
          isBusy={isPending}
          onLeave={() => run(edit, 'leave')}
        />
      )}
      {outOfView > 0 && <p className="bulk-hint">{outOfViewText(outOfView)}</p>}
      {runsAsJob(picked) && (
        <p className="bulk-hint">
          {t(
            'This many records are updated in batches. You can stop the update but not undo it. Records that fail stay unchanged.',
          )}
        </p>
      )}
      <FormActions
        label={t('Update {pickedText}', { pickedText: describeSelected(picked) })}
        isReady={edit !== undefined && isWhole(edit)}
        isBusy={isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

type FieldSelectProps = {
  readonly collection: TypedCollection
  readonly edit: BulkEdit | undefined
  readonly onEdit: (edit: BulkEdit) => void
}

function FieldSelect({ collection, edit, onEdit }: FieldSelectProps) {
  const fields = bulkFields(collection)
  return (
    <Dropdown
      label={t('Field')}
      autoFocus
      clearable={false}
      placeholder={t('Select a field')}
      options={fields.map(({ id, label }) => ({ value: id, label }))}
      value={edit?.field.id ?? null}
      onChange={(id) => {
        const field = fields.find((each) => each.id === id)
        if (field) onEdit({ field, way: 'set', value: emptyValueOf(field) })
      }}
    />
  )
}

type EditRejectionsProps = {
  readonly collection: TypedCollection
  readonly edit: BulkEdit
  readonly error: Error
  readonly isBusy: boolean
  readonly onLeave: () => void
}

function EditRejections({ collection, edit, error, isBusy, onLeave }: EditRejectionsProps) {
  const refusals = skippedIn(error)
  if (refusals.length > 0) {
    return <SkippedNotice collection={collection} refusals={refusals} isBusy={isBusy} onLeave={onLeave} />
  }
  // The input already shows this error.
  const isBeside = edit.way !== 'empty' && partMessage(error, edit.field.name) !== undefined
  return isBeside ? null : <FailureNotice error={error} />
}

const LABELS: { readonly [Way in Exclude<BulkAction, 'empty'>]: (label: string) => string } = {
  set: (label) => label,
  add: (label) => t('Add to {label}', { label }),
  take: (label) => t('Remove from {label}', { label }),
}

/** Required doesn't apply, because this value is for many records. */
const optional = (field: Field): Field => ({ ...field, required: false })

const isWhole = ({ field, way, value }: BulkEdit): boolean =>
  way === 'empty' || field.kind === 'checkbox' || !isEmptyClientValue(field.kind, value)

const errorOf = ({ field, way, value }: BulkEdit): string | undefined =>
  way === 'empty' ? undefined : valueError(field, value)

const ACTION_LABELS: { readonly [Way in BulkAction]: string } = {
  set: t('Set to'),
  add: t('Add'),
  take: t('Remove'),
  empty: t('Empty'),
}

type ActionSelectProps = { readonly edit: BulkEdit; readonly onEdit: (edit: BulkEdit) => void }

function ActionSelect({ edit, onEdit }: ActionSelectProps) {
  const ways = bulkActionsOf(edit.field)
  if (ways.length < 2) return null
  return (
    <SegmentedControl
      aria-label={t('Action for {label}', { label: edit.field.label })}
      data={ways.map((way) => ({ value: way, label: ACTION_LABELS[way] }))}
      value={edit.way}
      onChange={(chosen) => {
        const way = ways.find((each) => each === chosen)
        if (way) onEdit({ ...edit, way })
      }}
    />
  )
}

/** Whether rejected records reject the whole change or are skipped. */
type OnSkipped = 'refuse' | 'leave'

/** Immediate changes can be undone by toast and keyboard. */
function useEditSelected(collection: TypedCollection, picked: SelectedRecords, onDone: () => void) {
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
  listEdits(collection.id).withGridActions((gridActions) => {
    back = gridActions.changedElsewhere(changes, versions)
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

type EditDialogProps = {
  readonly collection: TypedCollection
  readonly picked: SelectedRecords
  /** How many selected records the list hides. */
  readonly outOfView: number
  readonly onClose: () => void
  readonly onDone: () => void
}

export function EditDialog({ onClose, onDone, ...form }: EditDialogProps) {
  const finish = () => {
    onDone()
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('Edit {pickedText}', { pickedText: describeSelected(form.picked) })}
      size={480}
    >
      <EditForm {...form} onCancel={onClose} onDone={finish} />
    </Dialog>
  )
}
