import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ChangedBody } from '#api/bulk.ts'
import type { Field } from '#domain/fields/field.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { listText } from '#web/i18n/locale.ts'
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
import { IconPlus } from '#web/ui/icons/frame.ts'
import { IconX } from '#web/ui/icons/later.ts'
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

/** A change in the form, which has no field until one is selected. The key stays the same when the field changes. */
type EditDraft = { readonly key: number; readonly edit?: BulkEdit; readonly fault?: string | undefined }

function EditForm({ collection, picked, outOfView, onCancel, onDone }: EditFormProps) {
  const [drafts, setDrafts] = useState<readonly EditDraft[]>([{ key: 0 }])
  const { run, isPending, error } = useEditSelected(collection, picked, onDone)
  const edits = drafts.flatMap(({ edit }) => edit ?? [])
  const change = (key: number, part: Partial<EditDraft>) =>
    setDrafts((before) => before.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)))
  const isReady = edits.length > 0 && edits.every(isWhole)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const checked = drafts.map((draft) => ({ ...draft, fault: draft.fault ?? (draft.edit && errorOf(draft.edit)) }))
    setDrafts(checked)
    if (isReady && !isPending && checked.every(({ fault }) => fault === undefined)) run(edits, 'refuse')
  }
  return (
    <form onSubmit={submit} className="record-form">
      {drafts.map((draft) => (
        <EditDraftFields
          key={draft.key}
          collection={collection}
          draft={draft}
          taken={edits.map(({ field }) => field.id)}
          error={error}
          onChange={(part) => change(draft.key, part)}
          onRemove={
            drafts.length > 1 ? () => setDrafts((all) => all.filter(({ key }) => key !== draft.key)) : undefined
          }
        />
      ))}
      {edits.length === drafts.length && edits.length < bulkFields(collection).length && (
        <Button
          variant="subtle"
          className="bulk-add-field"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => setDrafts((all) => [...all, { key: Math.max(...all.map(({ key }) => key)) + 1 }])}
        >
          {t('Add another field')}
        </Button>
      )}
      {error && (
        <EditRejections
          collection={collection}
          edits={edits}
          error={error}
          isBusy={isPending}
          onLeave={() => run(edits, 'leave')}
        />
      )}
      {outOfView > 0 && <p className="bulk-hint">{outOfViewText(outOfView)}</p>}
      {runsAsJob(picked) && (
        <p className="bulk-hint">
          {t(
            'Large updates run in batches. You can stop them at any time, and undo them afterwards. Records that can’t be updated stay unchanged.',
          )}
        </p>
      )}
      <FormActions
        label={t('Update {pickedText}', { pickedText: describeSelected(picked) })}
        isReady={isReady}
        isBusy={isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

type EditDraftFieldsProps = {
  readonly collection: TypedCollection
  readonly draft: EditDraft
  /** IDs of the fields used by all changes in the form. */
  readonly taken: readonly string[]
  readonly error: Error | null
  readonly onChange: (part: Partial<EditDraft>) => void
  readonly onRemove: (() => void) | undefined
}

function EditDraftFields({ collection, draft, taken, error, onChange, onRemove }: EditDraftFieldsProps) {
  const { edit, fault } = draft
  const fields = bulkFields(collection).filter(({ id }) => id === edit?.field.id || !taken.includes(id))
  const change = (next: BulkEdit) => onChange({ edit: next, fault: undefined })
  return (
    <div className="bulk-edit">
      <div className="bulk-edit-field">
        <Dropdown
          label={t('Field')}
          autoFocus
          clearable={false}
          placeholder={t('Select a field')}
          options={fields.map(({ id, label }) => ({ value: id, label }))}
          value={edit?.field.id ?? null}
          onChange={(id) => {
            const field = fields.find((each) => each.id === id)
            if (field) change({ field, way: 'set', value: emptyValueOf(field) })
          }}
        />
        {onRemove && (
          <ActionIcon
            size="lg"
            aria-label={edit ? t('Don’t change {label}', { label: edit.field.label }) : t('Remove')}
            onClick={onRemove}
          >
            <IconX size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {edit && <ActionSelect edit={edit} onEdit={change} />}
      {edit && edit.way !== 'empty' && (
        <FieldInput
          key={edit.field.id}
          field={optional(edit.field)}
          label={LABELS[edit.way](edit.field.label)}
          description={edit.field.description}
          value={edit.value}
          onChange={(value) => change({ ...edit, value })}
          onFault={(next) => onChange({ fault: next })}
          error={fault ?? partMessage(error, edit.field.name)}
          place={{ collection: collection.name }}
        />
      )}
    </div>
  )
}

type EditRejectionsProps = {
  readonly collection: TypedCollection
  readonly edits: readonly BulkEdit[]
  readonly error: Error
  readonly isBusy: boolean
  readonly onLeave: () => void
}

function EditRejections({ collection, edits, error, isBusy, onLeave }: EditRejectionsProps) {
  const refusals = skippedIn(error)
  if (refusals.length > 0) {
    return <SkippedNotice collection={collection} refusals={refusals} isBusy={isBusy} onLeave={onLeave} />
  }
  // The error is already shown next to an input.
  const isBeside = edits.some(({ field, way }) => way !== 'empty' && partMessage(error, field.name) !== undefined)
  return isBeside ? null : <FailureNotice error={error} />
}

const LABELS: { readonly [Way in Exclude<BulkAction, 'empty'>]: (label: string) => string } = {
  set: (label) => label,
  add: (label) => t('Add to {label}', { label }),
  take: (label) => t('Remove from {label}', { label }),
}

/** The value applies to many records, so the field is never required. */
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

/** Whether rejected records are skipped (`leave`) or cause the whole change to be rejected (`refuse`). */
type OnSkipped = 'refuse' | 'leave'

/** Changes that don't run as a job can be undone from the toast or with the keyboard. */
function useEditSelected(collection: TypedCollection, picked: SelectedRecords, onDone: () => void) {
  const queryClient = useQueryClient()
  const showRefused = useShowSkipped()
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ edits, refused }: { readonly edits: readonly BulkEdit[]; readonly refused: OnSkipped }) =>
      sendBulk(queryClient, collection.name, {
        where: whereOf(picked),
        update: updateOf(edits),
        refused,
        ...(edits.every(canBeUndone) && { remember: true }),
      }),
    onSuccess: (said, { edits }) => {
      if (said) {
        const undo = recordUndoStep(collection, edits, said, () => refreshList(queryClient, collection.name))
        notifyChanged(edits, said, { picked, undo, onShow: (refusals) => showRefused(collection.name, refusals) })
      }
      onDone()
    },
  })
  return { run: (edits: readonly BulkEdit[], refused: OnSkipped) => mutate({ edits, refused }), isPending, error }
}

/** Changes to documents can't be undone, because the list doesn't contain complete documents. */
const canBeUndone = ({ field }: BulkEdit): boolean => field.kind !== 'rich-text'

function recordUndoStep(
  collection: TypedCollection,
  edits: readonly BulkEdit[],
  { before = [] }: ChangedBody,
  refresh: () => Promise<void>,
): (() => void) | undefined {
  const changes = changesBy(edits, before)
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

function notifyChanged(edits: readonly BulkEdit[], said: ChangedBody, { picked, undo, onShow }: EditResult): void {
  const refusals = said.refused ?? []
  const label = listText(edits.map(({ field }) => field.label))
  const text = t('Updated {label} in {records}', { label, records: records(said.updated) })
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
  /** The number of selected records that the list's filter hides. */
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
