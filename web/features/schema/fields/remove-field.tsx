import type { Field } from '#domain/fields/field.ts'
import { useRemoveField } from '#web/features/schema/collection/collection-queries.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useRestoreDefinition } from '#web/shared/trash/use-restore-definition.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { ConfirmByTyping } from '#web/ui/dialogs/confirm-dialog.tsx'
import { notify } from '#web/ui/toast/notify.ts'

type RemoveFieldProps = {
  readonly collection: TypedCollection
  readonly field: Field | null
  readonly onClose: () => void
  readonly onRemoved?: (() => void) | undefined
}

export function RemoveField({ collection, field, onClose, onRemoved }: RemoveFieldProps) {
  const { mutateAsync } = useRemoveField(collection.name)
  const restore = useRestoreDefinition()
  if (field === null) return null
  const remove = () =>
    mutateAsync(field.id).then(
      () => {
        notify.success(t('Field {label} deleted', { label: field.label }), {
          action: { label: t('Undo'), run: () => restore.mutate(field) },
        })
        onClose()
        onRemoved?.()
      },
      notifyFailure(t('Couldn’t delete {label}', { label: field.label })),
    )
  return (
    <ConfirmByTyping
      isOpen
      onClose={onClose}
      title={t('Remove {label}', { label: field.label })}
      name={field.label}
      actionLabel={t('Delete field and values')}
      onConfirm={remove}
    >
      {t('This deletes the field and its data in every record of {label}. You can restore it from the trash.', {
        label: collection.label,
      })}
    </ConfirmByTyping>
  )
}
