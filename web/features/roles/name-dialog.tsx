import { Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { partMessage } from '#web/data/api/error-messages.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { useCreatePolicy, useCreateRole } from './roles-queries.ts'
import { SaveFailure } from './save-failure.tsx'

export type Naming = { readonly name: string; readonly about: string }

type NameDialogProps = {
  readonly title: string
  readonly action: string
  readonly example: string
  readonly before: Naming
  readonly isPending: boolean
  readonly error: unknown
  readonly onSave: (naming: Naming) => void
  readonly onClose: () => void
}

export function NameDialog({ title, action, example, before, isPending, error, onSave, onClose }: NameDialogProps) {
  const [{ name, about }, setNaming] = useState(before)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '' && !isPending) onSave({ name: name.trim(), about: about.trim() })
  }
  return (
    <Dialog opened onClose={onClose} title={title} size={460}>
      <form onSubmit={submit} className="grant-form">
        <WithHelp setting="role-name">
          <TextInput
            label={t('Name')}
            required
            data-autofocus
            maxLength={120}
            placeholder={example}
            value={name}
            error={partMessage(error, 'name')}
            onChange={({ currentTarget }) => setNaming({ about, name: currentTarget.value })}
          />
        </WithHelp>
        <WithHelp setting="role-about">
          <Textarea
            label={t('Description')}
            autosize
            minRows={2}
            maxLength={500}
            value={about}
            onChange={({ currentTarget }) => setNaming({ name, about: currentTarget.value })}
          />
        </WithHelp>
        <SaveFailure error={error} />
        <FormActions label={action} isReady={name.trim() !== ''} isBusy={isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

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
