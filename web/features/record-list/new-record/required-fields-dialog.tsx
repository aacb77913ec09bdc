import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { lazy, Suspense } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'

type RequiredFieldsDialogProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly collection: TypedCollection
  readonly fields: readonly Field[]
  readonly reasons: readonly string[]
  readonly onCreated: (record: RecordBody) => void
}

/** Loaded on demand, because it contains the inputs of every type. */
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
