import { Button } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
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
import { later, useLater } from '#web/kit/later.ts'
import { t } from '#web/language/t.ts'
import type { ShownValues } from './record-draft.ts'
import { useCreateRecord } from './record-queries.ts'
import { type Breach, breachAt, breachesAbove } from './rule-breaches.ts'
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
  const [values, setValues] = useState<ShownValues>({})
  const { mutate, isPending, error } = useCreateRecord(collection.name)
  const breaches = useBreaches(collection, values)
  // A rule may leave a choice between its fields; what is required is required.
  const shown = (field: Field) => (Object.hasOwn(values, field.name) ? values[field.name] : defaultShown(field))
  const isComplete = fields.every((field) => !field.required || !isEmptyShown(field.kind, shown(field)))
  const isAboutFields =
    asCallFailed(error)?.errors.some(({ path }) => fields.some((field) => field.name === path)) ?? false

  const above = breachesAbove(
    breaches,
    fields.map(({ name }) => name),
  )
  const said = [...new Set([...reasons, ...above])]

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
      {said.length > 0 && <p className="record-form-reasons">{said.join(' ')}</p>}
      {fields.map((field, at) => (
        <FieldInput
          key={field.id}
          field={field}
          value={shown(field)}
          onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          error={breachAt(breaches, field.name) ?? partMessage(error, field.name)}
          place={{ collection: collection.name }}
          autoFocus={at === 0}
        />
      ))}
      {error && !isAboutFields && <FailureNotice error={error} />}
      <div className="record-form-actions">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button type="submit" variant="filled" disabled={!isComplete} loading={isPending}>
          {t('Create record')}
        </Button>
      </div>
    </form>
  )
}

const judging = later(() => import('./rule-judge.ts'))

/** Rules that what is filled in would break. */
function useBreaches(collection: KnownCollection, values: ShownValues): readonly Breach[] {
  const { rules, fields } = collection
  const { ruleJudge } = useLater(judging, rules !== undefined) ?? {}
  const judge = useMemo(() => ruleJudge?.(collection), [ruleJudge, collection])
  const base = useMemo(() => Object.fromEntries(fields.map((field) => [field.name, defaultShown(field)])), [fields])
  return judge?.(base, values).breaches ?? []
}

/** What a record begins with where nothing is said. */
const defaultShown = (field: Field): unknown => outsideValue(field, startingValue(field), PLAIN_FORM)
