import { Button, Modal, Radio, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { inviteUser } from '#api/users.ts'
import { ROLES, type RoleName } from '#domain/access/roles.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { partMessage } from '#web/client/problem-text.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { ROLE_WORDS } from './role-words.ts'

type InviteDialogProps = { readonly onClose: () => void }

/** Invites somebody by e-mail. */
export function InviteDialog({ onClose }: InviteDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Invite somebody" size={460}>
      <InviteForm onClose={onClose} />
    </Modal>
  )
}

function InviteForm({ onClose }: InviteDialogProps) {
  const [invited, setInvited] = useState({ email: '', name: '', role: 'editor' as RoleName })
  const change = (part: Partial<typeof invited>) => setInvited((before) => ({ ...before, ...part }))
  const queryClient = useQueryClient()
  const invite = useMutation({
    mutationFn: () =>
      call(inviteUser, { body: { ...invited, email: invited.email.trim(), name: invited.name.trim() } }),
    onSuccess({ email }) {
      for (const queryKey of [queryKeys.users, queryKeys.outbox]) void queryClient.invalidateQueries({ queryKey })
      notify.success(`The invitation for ${email} is written.`)
      onClose()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!invite.isPending) invite.mutate()
  }

  return (
    <form onSubmit={submit} className="invite-form">
      {invite.error && asCallFailed(invite.error)?.code !== 'aborted' && <FailureNotice error={invite.error} />}
      <TextInput
        label="E-mail"
        type="email"
        size="md"
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
        label="Name"
        size="md"
        required
        withAsterisk={false}
        autoComplete="off"
        maxLength={120}
        value={invited.name}
        error={partMessage(invite.error, 'name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <RoleChoice chosen={invited.role} onChange={(role) => change({ role })} />
      <p className="invite-hint">
        They get a link that works once, for 48 hours. Without a mail server it waits in the outbox for you to pass on.
      </p>
      <div className="invite-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={invite.isPending}>
          Invite
        </Button>
      </div>
    </form>
  )
}

type RoleChoiceProps = { readonly chosen: RoleName; readonly onChange: (role: RoleName) => void }

function RoleChoice({ chosen, onChange }: RoleChoiceProps) {
  return (
    <fieldset className="invite-roles">
      <legend>Role</legend>
      <div>
        {ROLES.map((role) => (
          <Radio
            key={role}
            name="role"
            value={role}
            label={ROLE_WORDS[role].label}
            description={ROLE_WORDS[role].about}
            checked={chosen === role}
            onChange={() => onChange(role)}
          />
        ))}
      </div>
    </fieldset>
  )
}
