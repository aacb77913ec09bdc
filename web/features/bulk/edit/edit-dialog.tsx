import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { t } from '#web/i18n/t.ts'
import { EditForm } from './edit-form.tsx'
import { type SelectedRecords, describeSelected } from '#web/shared/bulk-operations/selected-records.ts'
import '../bulk.css'

type EditDialogProps = {
  readonly collection: TypedCollection
  readonly picked: SelectedRecords
  readonly outOfView: number
  readonly onClose: () => void
  readonly onDone: () => void
}

export function EditDialog({ onClose, onDone, ...form }: EditDialogProps) {
  const finish = () => {
    onDone()
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('Edit {pickedText}', { pickedText: describeSelected(form.picked) })}
      size={480}
    >
      <EditForm {...form} onCancel={onClose} onDone={finish} />
    </Dialog>
  )
}
