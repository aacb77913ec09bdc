import { Button, Modal, Radio, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { inviteUser } from '#api/users.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { partMessage } from '#web/client/problem-text.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { notify } from '#web/kit/toast/notify.ts'
import type { RoleToGive } from './users-queries.ts'

type InviteDialogProps = { readonly roles: readonly RoleToGive[]; readonly onClose: () => void }

/** Invites somebody by e-mail. */
export function InviteDialog({ roles, onClose }: InviteDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Invite somebody" size={460}>
      <InviteForm roles={roles} onClose={onClose} />
    </Modal>
  )
}

function InviteForm({ roles, onClose }: InviteDialogProps) {
  const [invited, setInvited] = useState({ email: '', name: '', role: firstOf(roles) })
  const change = (part: Partial<typeof invited>) => setInvited((before) => ({ ...before, ...part }))
  const queryClient = useQueryClient()
  const invite = useMutation({
    mutationFn: () =>
      call(inviteUser, {
        body: { email: invited.email.trim(), name: invited.name.trim(), roles: [invited.role] },
      }),
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
      <RoleChoice roles={roles} chosen={invited.role} onChange={(role) => change({ role })} />
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

/** The role most people are invited with, where there is one that may be given. */
const firstOf = (roles: readonly RoleToGive[]): string => {
  const given = roles.filter(({ mayGive }) => mayGive)
  return (given.find(({ id }) => id === 'editor') ?? given[0])?.id ?? ''
}

type RoleChoiceProps = {
  readonly roles: readonly RoleToGive[]
  readonly chosen: string
  readonly onChange: (role: string) => void
}

function RoleChoice({ roles, chosen, onChange }: RoleChoiceProps) {
  return (
    <fieldset className="invite-roles">
      <legend>Role</legend>
      <div>
        {roles.map(({ id, name, about, mayGive }) => (
          <Radio
            key={id}
            name="role"
            value={id}
            label={name}
            description={about}
            disabled={!mayGive}
            checked={chosen === id}
            onChange={() => onChange(id)}
          />
        ))}
      </div>
    </fieldset>
  )
}
