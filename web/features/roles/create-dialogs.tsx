import { t } from '#web/i18n/t.ts'
import { NameDialog } from './name-dialog.tsx'
import { useCreatePolicy, useCreateRole } from './roles-queries.ts'

type CreateDialogProps = { readonly onClose: () => void; readonly onMade: (id: string) => void }

const UNNAMED = { name: '', about: '' }

export function NewRoleDialog({ onClose, onMade }: CreateDialogProps) {
  const { mutate, isPending, error } = useCreateRole()
  return (
    <NameDialog
      title={t('New role')}
      action={t('Create role')}
      example={t('Accountant')}
      before={UNNAMED}
      isPending={isPending}
      error={error}
      onSave={(naming) => mutate({ ...naming, policies: [] }, { onSuccess: ({ id }) => onMade(id) })}
      onClose={onClose}
    />
  )
}

export function NewPolicyDialog({ onClose, onMade }: CreateDialogProps) {
  const { mutate, isPending, error } = useCreatePolicy()
  return (
    <NameDialog
      title={t('New policy')}
      action={t('Create policy')}
      example={t('View invoices')}
      before={UNNAMED}
      isPending={isPending}
      error={error}
      onSave={(naming) => mutate({ ...naming, grants: [], examples: [] }, { onSuccess: ({ id }) => onMade(id) })}
      onClose={onClose}
    />
  )
}
