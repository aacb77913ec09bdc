import { Dialog } from '#web/kit/dialog.tsx'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { inviteUser } from '#api/users.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { partMessage } from '#web/client/problem-text.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useCan } from '#web/client/use-can.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import { NotesInputs, type Notes, RoleChecks } from './rights-inputs.tsx'
import type { PeopleToManage, RoleToGive } from './users-queries.ts'

type InviteDialogProps = Pick<PeopleToManage, 'roles' | 'profileFields'> & { readonly onClose: () => void }

type Invited = {
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  readonly profile: Notes
}

/** Invites somebody by e-mail. */
export function InviteDialog({ onClose, ...known }: InviteDialogProps) {
  return (
    <Dialog opened onClose={onClose} title={t('Invite somebody')} size={460}>
      <InviteForm onClose={onClose} {...known} />
    </Dialog>
  )
}

/** Writes the invitation, and says so. */
function useInvite(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ email, name, roles, profile }: Invited) => {
      const noted = Object.keys(profile).length > 0 && { profile }
      return call(inviteUser, { body: { email: email.trim(), name: name.trim(), roles: [...roles], ...noted } })
    },
    onSuccess({ email }) {
      for (const queryKey of [queryKeys.users, queryKeys.outbox]) void queryClient.invalidateQueries({ queryKey })
      notify.success(t('The invitation for {email} is written.', { email }))
      onDone()
    },
  })
}

function InviteForm({ roles, profileFields, onClose }: InviteDialogProps) {
  const [invited, setInvited] = useState<Invited>({ email: '', name: '', roles: firstOf(roles), profile: {} })
  const mayNote = useCan('roles:manage')
  const change = (part: Partial<typeof invited>) => setInvited((before) => ({ ...before, ...part }))
  const invite = useInvite(onClose)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!invite.isPending && invited.roles.length > 0) invite.mutate(invited)
  }

  return (
    <form onSubmit={submit} className="invite-form">
      {invite.error && asCallFailed(invite.error)?.code !== 'aborted' && <FailureNotice error={invite.error} />}
      <TextInput
        label={t('E-mail')}
        type="email"
        required
        withAsterisk={false}
        autoComplete="off"
        maxLength={254}
        value={invited.email}
        error={partMessage(invite.error, 'email')}
        onChange={({ currentTarget }) => change({ email: currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={t('Name')}
        required
        withAsterisk={false}
        autoComplete="off"
        maxLength={120}
        value={invited.name}
        error={partMessage(invite.error, 'name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <RoleChecks roles={roles} chosen={invited.roles} onChange={(chosen) => change({ roles: chosen })} />
      {mayNote && (
        <NotesInputs fields={profileFields} notes={invited.profile} onChange={(profile) => change({ profile })} />
      )}
      <p className="invite-hint">
        {t(
          'They get a link that works once, for 48 hours. Without a mail server it waits in the outbox for you to pass on.',
        )}
      </p>
      <div className="invite-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" variant="filled" loading={invite.isPending} disabled={invited.roles.length === 0}>
          {t('Invite')}
        </Button>
      </div>
    </form>
  )
}

/** The role most people are invited with, where there is one that may be given. */
function firstOf(roles: readonly RoleToGive[]): string[] {
  const given = roles.filter(({ mayGive }) => mayGive)
  const first = given.find(({ id }) => id === 'editor') ?? given[0]
  return first ? [first.id] : []
}
