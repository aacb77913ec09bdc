import { lazy, Suspense } from 'react'
import type { RecordBody } from '#api/records.ts'
import { type Field, isEntered } from '#domain/fields/field.ts'
import { needsValue } from '#domain/fields/kinds.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { t } from '#web/i18n/t.ts'
import type { ShownValues } from '#web/shared/record-drafts/record-draft.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { fieldsNamedBy } from '#web/shared/validation-rules/rule-violations.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'

type RequiredFieldsDialogProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly collection: TypedCollection
  readonly fields: readonly Field[]
  readonly reasons: readonly string[]
  readonly start?: ShownValues
  readonly onCreated: (record: RecordBody) => void
}

/** Loaded on demand, because the form contains the inputs for every field type. */
const RequiredForm = lazy(() =>
  import('./required-fields-form.tsx').then((loaded) => ({ default: loaded.RequiredFieldsForm })),
)

export function RequiredFieldsDialog({ isOpen, onClose, ...form }: RequiredFieldsDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('New record')} size={480}>
      <Suspense>
        <RequiredForm {...form} onCancel={onClose} />
      </Suspense>
    </Dialog>
  )
}

/** Fields to request before creating a record, with the messages of rules that an empty record violates. */
export type RequiredBeforeCreate = { readonly fields: readonly Field[]; readonly reasons: readonly string[] }

export const missingFields = ({ fields }: TypedCollection, before: RequiredBeforeCreate): RequiredBeforeCreate => ({
  fields: [...fields.filter(needsValue), ...before.fields.filter((field) => !needsValue(field))],
  reasons: before.reasons,
})

/** Editable fields used by the rules that an empty record violates. */
export function requiredByRules({ rules = [], fields }: TypedCollection, error: unknown): RequiredBeforeCreate {
  const failure = toCallError(error)
  if (failure?.code !== 'rule-broken') return { fields: [], reasons: [] }
  const broken = rules.filter(({ message }) => failure.errors.some((part) => part.message === message))
  const named = broken.flatMap(fieldsNamedBy)
  return {
    fields: fields.filter(
      (field) =>
        named.includes(field.name) && field.kind !== 'auto-number' && field.kind !== 'files' && isEntered(field),
    ),
    reasons: broken.map(({ message }) => message),
  }
}
