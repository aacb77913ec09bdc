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
  /** What rules say of it. */
  readonly reasons: readonly string[]
  readonly onCreated: (record: RecordBody) => void
}

/** The inputs of every kind come with it: most lists never need them. */
const RequiredForm = lazy(() =>
  import('./required-fields-form.tsx').then((loaded) => ({ default: loaded.RequiredFieldsForm })),
)

/** Asks for what must be filled in before a record can exist at all. */
export function RequiredFieldsDialog({ isOpen, onClose, ...form }: RequiredFieldsDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('New record')} size={480}>
      <Suspense>
        <RequiredForm {...form} onCancel={onClose} />
      </Suspense>
    </Dialog>
  )
}
