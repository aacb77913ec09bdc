import { Button, SegmentedControl } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { partMessage } from '#web/data/api/error-messages.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import { valueError } from '#web/shared/cell-editing/validate-cells.ts'
import { type BulkEdit, emptyValueOf } from './bulk-edit.ts'
import { type BulkAction, bulkFields, bulkActionsOf } from './bulk-fields.ts'
import {
  runsAsJob,
  outOfViewText,
  type SelectedRecords,
  describeSelected,
} from '#web/shared/bulk-operations/selected-records.ts'
import { SkippedNotice } from '#web/features/bulk/skipped-notice.tsx'
import { skippedIn } from '#web/shared/bulk-operations/send-bulk.ts'
import { useEditSelected } from './use-edit-selected.ts'
import '../../../shared/fields/record-form.css'

type EditFormProps = {
  readonly collection: TypedCollection
  readonly picked: SelectedRecords
  /** How many selected records the list hides. */
  readonly outOfView: number
  readonly onCancel: () => void
  readonly onDone: () => void
}

export function EditForm({ collection, picked, outOfView, onCancel, onDone }: EditFormProps) {
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
        <SkippedRecords
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
      <div className="record-form-actions">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button type="submit" variant="filled" disabled={!edit || !isWhole(edit)} loading={isPending}>
          {t('Update {pickedText}', { pickedText: describeSelected(picked) })}
        </Button>
      </div>
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

type SkippedRecordsProps = {
  readonly collection: TypedCollection
  readonly edit: BulkEdit
  readonly error: Error
  readonly isBusy: boolean
  readonly onLeave: () => void
}

function SkippedRecords({ collection, edit, error, isBusy, onLeave }: SkippedRecordsProps) {
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
