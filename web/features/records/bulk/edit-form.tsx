import { Button, SegmentedControl } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { partMessage } from '#web/client/problem-text.ts'
import { FieldInput } from '#web/fields/field-inputs.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { isEmptyShown } from '#web/fields/shown-value.ts'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { t } from '#web/language/t.ts'
import { valueFault } from '../cells/judge-cells.ts'
import { type BulkEdit, nothingIn } from './bulk-edit.ts'
import { type BulkWay, bulkFields, waysOf } from './bulk-fields.ts'
import { isMuch, outOfViewText, type Picked, pickedText } from './picked.ts'
import { RefusedNotice } from './refused-notice.tsx'
import { refusalsIn } from './send-bulk.ts'
import { useEditPicked } from './use-edit-picked.ts'

type EditFormProps = {
  readonly collection: KnownCollection
  readonly picked: Picked
  /** How many of the picked records the list does not show. */
  readonly outOfView: number
  readonly onCancel: () => void
  readonly onDone: () => void
}

/** Asks for a field, and for what becomes of it in every selected record. */
export function EditForm({ collection, picked, outOfView, onCancel, onDone }: EditFormProps) {
  const [edit, setEdit] = useState<BulkEdit>()
  const [fault, setFault] = useState<string>()
  const { run, isPending, error } = useEditPicked(collection, picked, onDone)
  const change = (next: BulkEdit) => {
    setFault(undefined)
    setEdit(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = edit && faultOf(edit)
    if (wrong !== undefined) setFault(wrong)
    else if (edit && isWhole(edit) && fault === undefined && !isPending) run(edit, 'refuse')
  }
  return (
    <form onSubmit={submit} className="record-form">
      <FieldChoice collection={collection} edit={edit} onEdit={change} />
      {edit && <WayChoice edit={edit} onEdit={change} />}
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
        <Refused
          collection={collection}
          edit={edit}
          error={error}
          isBusy={isPending}
          onLeave={() => run(edit, 'leave')}
        />
      )}
      {outOfView > 0 && <p className="bulk-hint">{outOfViewText(outOfView)}</p>}
      {isMuch(picked) && (
        <p className="bulk-hint">
          {t(
            'So many are changed bit by bit, which can be stopped, but not undone. Those that are refused stay as they are.',
          )}
        </p>
      )}
      <div className="record-form-actions">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button type="submit" variant="filled" disabled={!edit || !isWhole(edit)} loading={isPending}>
          {t('Change {pickedText}', { pickedText: pickedText(picked) })}
        </Button>
      </div>
    </form>
  )
}

type FieldChoiceProps = {
  readonly collection: KnownCollection
  readonly edit: BulkEdit | undefined
  readonly onEdit: (edit: BulkEdit) => void
}

function FieldChoice({ collection, edit, onEdit }: FieldChoiceProps) {
  const fields = bulkFields(collection)
  return (
    <Dropdown
      label={t('Field')}
      autoFocus
      clearable={false}
      placeholder={t('Choose one')}
      options={fields.map(({ id, label }) => ({ value: id, label }))}
      value={edit?.field.id ?? null}
      onChange={(id) => {
        const field = fields.find((each) => each.id === id)
        if (field) onEdit({ field, way: 'set', value: nothingIn(field) })
      }}
    />
  )
}

type RefusedProps = {
  readonly collection: KnownCollection
  readonly edit: BulkEdit
  readonly error: Error
  readonly isBusy: boolean
  readonly onLeave: () => void
}

/** Why nothing was changed: single records that stand in the way, the value, or something else. */
function Refused({ collection, edit, error, isBusy, onLeave }: RefusedProps) {
  const refusals = refusalsIn(error)
  if (refusals.length > 0) {
    return <RefusedNotice collection={collection} refusals={refusals} isBusy={isBusy} onLeave={onLeave} />
  }
  // Beside the input it is told already.
  const isBeside = edit.way !== 'empty' && partMessage(error, edit.field.name) !== undefined
  return isBeside ? null : <FailureNotice error={error} />
}

const LABELS: { readonly [Way in Exclude<BulkWay, 'empty'>]: (label: string) => string } = {
  set: (label) => label,
  add: (label) => t('Add to {label}', { label }),
  take: (label) => t('Take out of {label}', { label }),
}

/** What is asked for here is one value for many, not whether a record could be without. */
const optional = (field: Field): Field => ({ ...field, required: false })

const isWhole = ({ field, way, value }: BulkEdit): boolean =>
  way === 'empty' || field.kind === 'checkbox' || !isEmptyShown(field.kind, value)

const faultOf = ({ field, way, value }: BulkEdit): string | undefined =>
  way === 'empty' ? undefined : valueFault(field, value)

const WAY_WORDS: { readonly [Way in BulkWay]: string } = {
  set: t('Set to'),
  add: t('Add'),
  take: t('Take out'),
  empty: t('Empty'),
}

type WayChoiceProps = { readonly edit: BulkEdit; readonly onEdit: (edit: BulkEdit) => void }

function WayChoice({ edit, onEdit }: WayChoiceProps) {
  const ways = waysOf(edit.field)
  if (ways.length < 2) return null
  return (
    <SegmentedControl
      aria-label={t('What becomes of {label}', { label: edit.field.label })}
      data={ways.map((way) => ({ value: way, label: WAY_WORDS[way] }))}
      value={edit.way}
      onChange={(chosen) => {
        const way = ways.find((each) => each === chosen)
        if (way) onEdit({ ...edit, way })
      }}
    />
  )
}
