import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import { outsideValue, PLAIN_FORM } from '#domain/records/named-values.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { partMessage } from '#web/client/problem-text.ts'
import { FieldInput } from '#web/fields/field-inputs.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { isEmptyShown, wireValue } from '#web/fields/shown-value.ts'
import { useCreateRecord } from './record-queries.ts'
import './records.css'

type RequiredFormProps = {
  readonly collection: KnownCollection
  readonly fields: readonly Field[]
  /** What rules say of it. */
  readonly reasons: readonly string[]
  readonly onCancel: () => void
  readonly onCreated: (record: RecordBody) => void
}

/** Asks for what a record cannot exist without. */
export function RequiredForm({ collection, fields, reasons, onCancel, onCreated }: RequiredFormProps) {
  const [values, setValues] = useState<{ readonly [field: string]: unknown }>({})
  const { mutate, isPending, error } = useCreateRecord(collection.name)
  // A rule may leave a choice between its fields; what is required is required.
  const isComplete = fields.every((field) => !field.required || !isEmptyShown(field.kind, values[field.name]))
  const isAboutFields =
    asCallFailed(error)?.errors.some(({ path }) => fields.some((field) => field.name === path)) ?? false

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete || isPending) return
    const given = fields
      .filter(({ name }) => Object.hasOwn(values, name))
      .map((field) => [field.name, wireValue(field, values[field.name])])
    mutate(Object.fromEntries(given), { onSuccess: onCreated })
  }
  return (
    <form onSubmit={submit} className="record-form">
      {reasons.length > 0 && <p className="record-form-reasons">{reasons.join(' ')}</p>}
      {fields.map((field, at) => (
        <FieldInput
          key={field.id}
          field={field}
          value={Object.hasOwn(values, field.name) ? values[field.name] : defaultShown(field)}
          onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          error={partMessage(error, field.name)}
          place={{ collection: collection.name }}
          autoFocus={at === 0}
        />
      ))}
      {error && !isAboutFields && <FailureNotice error={error} />}
      <div className="record-form-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="filled" disabled={!isComplete} loading={isPending}>
          Create record
        </Button>
      </div>
    </form>
  )
}

/** What a record begins with where nothing is said. */
const defaultShown = (field: Field): unknown => outsideValue(field, startingValue(field), PLAIN_FORM)
