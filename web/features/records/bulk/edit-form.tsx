import { Button, SegmentedControl } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { partMessage } from '#web/client/problem-text.ts'
import { FieldInput } from '#web/fields/field-inputs.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { isEmptyShown } from '#web/fields/shown-value.ts'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { valueFault } from '../cells/judge-cells.ts'
import { type BulkWay, bulkFields, waysOf } from './bulk-fields.ts'
import { type BulkEdit, nothingIn } from './bulk-edit.ts'
import { isMuch, type Picked, pickedText } from './picked.ts'
import { RefusedNotice } from './refused-notice.tsx'
import { refusalsIn } from './send-bulk.ts'
import { useEditPicked } from './use-edit-picked.ts'

type EditFormProps = {
  readonly collection: KnownCollection
  readonly picked: Picked
  readonly onCancel: () => void
  readonly onDone: () => void
}

/** Asks for a field, and for what becomes of it in every selected record. */
export function EditForm({ collection, picked, onCancel, onDone }: EditFormProps) {
  const [edit, setEdit] = useState<BulkEdit>()
  const [fault, setFault] = useState<string>()
  const { run, isPending, error } = useEditPicked(collection, picked, onDone)
  const refusals = refusalsIn(error)
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
  const told = edit && partMessage(error, edit.field.name)
  return (
    <form onSubmit={submit} className="record-form">
      <Dropdown
        label="Field"
        autoFocus
        clearable={false}
        placeholder="Choose one"
        options={bulkFields(collection).map(({ id, label }) => ({ value: id, label }))}
        value={edit?.field.id ?? null}
        onChange={(id) => {
          const field = bulkFields(collection).find((each) => each.id === id)
          if (field) change({ field, way: 'set', value: nothingIn(field) })
        }}
      />
      {edit && <WayChoice edit={edit} onEdit={change} />}
      {edit && edit.way !== 'empty' && (
        <FieldInput
          key={edit.field.id}
          field={optional(edit.field)}
          label={LABELS[edit.way](edit.field.label)}
          value={edit.value}
          onChange={(value) => change({ ...edit, value })}
          onFault={setFault}
          error={fault ?? told}
          place={{ collection: collection.name }}
        />
      )}
      {refusals.length > 0 && edit && (
        <RefusedNotice
          collection={collection}
          refusals={refusals}
          isBusy={isPending}
          onLeave={() => run(edit, 'leave')}
        />
      )}
      {error && refusals.length === 0 && told === undefined && <FailureNotice error={error} />}
      {isMuch(picked) && (
        <p className="bulk-hint">
          So many are changed bit by bit, which can be stopped, but not undone. Those that are refused stay as they are.
        </p>
      )}
      <div className="record-form-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="filled" disabled={!edit || !isWhole(edit)} loading={isPending}>
          Change {pickedText(picked)}
        </Button>
      </div>
    </form>
  )
}

const LABELS: { readonly [Way in Exclude<BulkWay, 'empty'>]: (label: string) => string } = {
  set: (label) => label,
  add: (label) => `Add to ${label}`,
  take: (label) => `Take out of ${label}`,
}

/** What is asked for here is one value for many, not whether a record could be without. */
const optional = (field: Field): Field => ({ ...field, required: false })

const isWhole = ({ field, way, value }: BulkEdit): boolean =>
  way === 'empty' || field.kind === 'checkbox' || !isEmptyShown(field.kind, value)

const faultOf = ({ field, way, value }: BulkEdit): string | undefined =>
  way === 'empty' ? undefined : valueFault(field, value)

const WAY_WORDS: { readonly [Way in BulkWay]: string } = {
  set: 'Set to',
  add: 'Add',
  take: 'Take out',
  empty: 'Empty',
}

type WayChoiceProps = { readonly edit: BulkEdit; readonly onEdit: (edit: BulkEdit) => void }

function WayChoice({ edit, onEdit }: WayChoiceProps) {
  const ways = waysOf(edit.field)
  if (ways.length < 2) return null
  return (
    <SegmentedControl
      aria-label={`What becomes of ${edit.field.label}`}
      data={ways.map((way) => ({ value: way, label: WAY_WORDS[way] }))}
      value={edit.way}
      onChange={(chosen) => {
        const way = ways.find((each) => each === chosen)
        if (way) onEdit({ ...edit, way })
      }}
    />
  )
}
