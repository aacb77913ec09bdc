import type { TypedCollection } from '#web/fields/known-field.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { t } from '#web/language/t.ts'
import { EditForm } from './edit-form.tsx'
import { type SelectedRecords, describeSelected } from './picked.ts'
import './bulk.css'

type EditDialogProps = {
  readonly collection: TypedCollection
  readonly picked: SelectedRecords
  readonly outOfView: number
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Gives one field of everything that is selected a value, or more or less in its list. */
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
