import { Button, Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { failureText, partMessage } from '#web/client/problem-text.ts'
import { FieldInput } from '#web/fields/field-inputs.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { isEmptyShown, wireValue } from '#web/fields/shown-value.ts'
import { notify } from '#web/kit/toast/notify.tsx'
import { useCreateRecord } from './record-queries.ts'
import './records.css'

type NewRecordButtonProps = {
  readonly collection: KnownCollection
  readonly onCreated: (record: RecordBody) => void
}

/** What must be filled in before a record can exist at all. */
const missingFields = (collection: KnownCollection): readonly Field[] =>
  collection.fields.filter((field) => field.required && field.default === null && field.kind !== 'checkbox')

/** Makes a record at once and opens it; only where fields are required are they asked for first. */
export function NewRecordButton({ collection, onCreated }: NewRecordButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useCreateRecord(collection.name)
  const asked = missingFields(collection)

  const begin = () => {
    if (asked.length > 0) return setAsking(true)
    mutate(
      {},
      {
        onSuccess: onCreated,
        onError: (error) => void notify.error(failureText(error).title, { detail: failureText(error).detail }),
      },
    )
  }
  return (
    <>
      <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />} loading={isPending} onClick={begin}>
        New record
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="New record" size={480}>
        <RequiredForm collection={collection} fields={asked} onCancel={() => setAsking(false)} onCreated={onCreated} />
      </Modal>
    </>
  )
}

type RequiredFormProps = NewRecordButtonProps & { readonly fields: readonly Field[]; readonly onCancel: () => void }

function RequiredForm({ collection, fields, onCancel, onCreated }: RequiredFormProps) {
  const [values, setValues] = useState<{ readonly [field: string]: unknown }>({})
  const { mutate, isPending, error } = useCreateRecord(collection.name)
  const isComplete = fields.every((field) => !isEmptyShown(field.kind, values[field.name]))
  const isAboutFields =
    asCallFailed(error)?.errors.some(({ path }) => fields.some((field) => field.name === path)) ?? false

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete || isPending) return
    const given = fields.map((field) => [field.name, wireValue(field, values[field.name])])
    mutate(Object.fromEntries(given), { onSuccess: onCreated })
  }
  return (
    <form onSubmit={submit} className="record-form">
      {fields.map((field, at) => (
        <FieldInput
          key={field.id}
          field={field}
          value={values[field.name]}
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
