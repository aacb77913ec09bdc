import { Button } from '@mantine/core'
import { type FormEvent, Fragment, useMemo, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import { arrangeFields } from '#domain/collections/record-layout.ts'
import type { Field } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import { apiValue, DEFAULT_FORM } from '#domain/records/named-values.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { partMessage } from '#web/data/api/error-messages.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { isEmptyClientValue, wireValues } from '#web/shared/fields/client-value.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { ShownValues } from '#web/shared/record-drafts/record-draft.ts'
import { useCreateRecord } from '#web/data/queries/record-queries.ts'
import { type RuleViolation, violationAt, violationsOutsideForm } from '#web/shared/validation-rules/rule-violations.ts'
import '../../shared/fields/record-form.css'

type RequiredFieldsFormProps = {
  readonly collection: TypedCollection
  readonly fields: readonly Field[]
  readonly reasons: readonly string[]
  readonly start?: ShownValues
  readonly onCancel: () => void
  readonly onCreated: (record: RecordBody) => void
}

export function RequiredFieldsForm({ collection, fields, reasons, start = {}, ...actions }: RequiredFieldsFormProps) {
  const { onCancel, onCreated } = actions
  const [values, setValues] = useState(start)
  const { mutate, isPending, error } = useCreateRecord(collection.name, collection.fields)
  const breaches = useRuleViolations(collection, values)
  // A rule may be satisfied by one of several fields, but a required field always needs a value.
  const shown = (field: Field) => (Object.hasOwn(values, field.name) ? values[field.name] : defaultShown(field))
  const isComplete = fields.every(
    (field) => !field.required || field.defaultFormula !== undefined || !isEmptyClientValue(field.kind, shown(field)),
  )
  const isAboutFields =
    toCallError(error)?.errors.some(({ path }) => fields.some((field) => field.name === path)) ?? false

  const sections = arrangeFields(collection.layout?.sections ?? [], fields, ({ name }) => name)
  const arranged = sections.flatMap((section) => section.fields)
  const firstOpen = arranged.find(({ name }) => !Object.hasOwn(start, name)) ?? arranged[0]

  const above = violationsOutsideForm(
    breaches,
    fields.map(({ name }) => name),
  )
  const said = [...new Set([...reasons, ...above])]

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog may be inside another form, to which React events bubble.
    event.stopPropagation()
    if (!isComplete || isPending) return
    mutate(wireValues(collection.fields, values), { onSuccess: onCreated })
  }
  return (
    <form onSubmit={submit} className="record-form">
      {said.length > 0 && <p className="record-form-reasons">{said.join(' ')}</p>}
      {sections.map(({ title, fields: inSection }) => (
        <Fragment key={inSection[0]?.id}>
          {title !== '' && <h3 className="record-form-section">{title}</h3>}
          {inSection.map((field) => (
            <FieldInput
              key={field.id}
              field={field}
              description={field.description}
              value={shown(field)}
              onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
              error={violationAt(breaches, field.name) ?? partMessage(error, field.name)}
              place={{ collection: collection.name }}
              autoFocus={field === firstOpen}
              canAddOptions
            />
          ))}
        </Fragment>
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

const ruleChecking = lazyModule(() => import('#web/shared/validation-rules/rule-checker.ts'))

function useRuleViolations(collection: TypedCollection, values: ShownValues): readonly RuleViolation[] {
  const { rules, fields } = collection
  const { createRuleChecker } = useLazyModule(ruleChecking, rules !== undefined) ?? {}
  const checker = useMemo(() => createRuleChecker?.(collection), [createRuleChecker, collection])
  const base = useMemo(() => Object.fromEntries(fields.map((field) => [field.name, defaultShown(field)])), [fields])
  return checker?.(base, values).breaches ?? []
}

const defaultShown = (field: Field): unknown => apiValue(field, startingValue(field), DEFAULT_FORM)
