import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { type FormEvent, useState } from 'react'
import type { UserBody } from '#api/users.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { useCan } from '#web/data/authorization/use-can.ts'
import { t } from '#web/i18n/t.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { AttributeInputs, RoleInputs } from './access-inputs.tsx'
import { changedRights, type Rights, useChangeRights, type UserAttributes } from './user-access.ts'
import type { ManagedUsers } from './users-queries.ts'

type UserAccessDialogProps = Pick<ManagedUsers, 'roles' | 'profileFields'> & {
  readonly user: UserBody
  readonly onClose: () => void
}

export function UserAccessDialog({ user, onClose, ...known }: UserAccessDialogProps) {
  return (
    <Dialog opened onClose={onClose} title={t('Permissions of {name}', { name: user.name })} size={480}>
      <RightsForm user={user} onClose={onClose} {...known} />
    </Dialog>
  )
}

function RightsForm({ user, roles, profileFields, onClose }: UserAccessDialogProps) {
  const before: Rights = { roles: user.roles.map(({ id }) => id), profile: user.profile }
  const [rights, setRights] = useState(before)
  // Attributes can grant access, so changing them requires more than user management.
  const mayNote = useCan('roles:manage')
  const save = useChangeRights({ onDone: onClose })
  const changes = changedRights(before, rights)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (changes && !save.isPending) save.mutate({ user, changes })
  }

  return (
    <form onSubmit={submit} className="invite-form">
      <FailureNotice error={save.error} />
      <RoleInputs roles={roles} chosen={rights.roles} onChange={(chosen) => setRights({ ...rights, roles: chosen })} />
      {mayNote && (
        <AttributeInputs
          fields={profileFields}
          notes={rights.profile}
          onChange={(profile: UserAttributes) => setRights({ ...rights, profile })}
        />
      )}
      {rights.roles.length === 0 && (
        <p className="invite-hint">{t('Select at least one role. To remove access, deactivate the user.')}</p>
      )}
      <FormActions
        label={t('Save')}
        isReady={changes !== undefined && rights.roles.length > 0}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </form>
  )
}
