import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { removeFactorsOf } from '#api/second-factors.ts'
import { changeUser, inviteAgain, type UserBody } from '#api/users.ts'
import { PASSWORD_MIN_CHARACTERS } from '#domain/sessions/password-rules.ts'
import { call } from '#web/client/call.ts'
import { useCan } from '#web/client/use-can.ts'
import { seeAs } from '#web/client/view-as.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { IconDotsVertical } from '#web/kit/icons/icon-dots-vertical.ts'
import { IconMailForward } from '#web/kit/icons/icon-mail-forward.ts'
import { IconShieldOff } from '#web/kit/icons/icon-shield-off.ts'
import { IconUserCheck } from '#web/kit/icons/icon-user-check.ts'
import { IconUser } from '#web/kit/icons/icon-user.ts'
import { IconUserOff } from '#web/kit/icons/icon-user-off.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { type RoleToGive, useUserChange } from './users-queries.ts'

type UserMenuProps = { readonly user: UserBody }
type RoleChoiceProps = UserMenuProps & { readonly roles: readonly RoleToGive[] }

const setDisabled = ({ id }: UserBody, isDisabled: boolean) =>
  call(changeUser, { params: { user: id }, body: { isDisabled } })

/** What can be done about one person. */
export function UserMenu({ user, roles }: RoleChoiceProps) {
  const [isAsking, setIsAsking] = useState(false)
  // Nobody touches an account that may do more than their own; the server refuses it, too.
  const isWithinOwn = user.roles.every(({ id }) => roles.some((role) => role.id === id && role.mayGive))
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon aria-label={`Change ${user.name}`}>
          <IconDotsVertical size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {user.isInvited && <InviteAgainItem user={user} />}
        {user.isInvited && <Menu.Divider />}
        <Menu.Label>Role</Menu.Label>
        <RoleChoice user={user} roles={roles} />
        <Menu.Divider />
        <SeeAsItem user={user} />
        {user.hasSecondFactor && isWithinOwn && (
          <Menu.Item leftSection={<IconShieldOff size={16} stroke={1.5} />} onClick={() => setIsAsking(true)}>
            Remove second factors
          </Menu.Item>
        )}
        <DisableItem user={user} />
      </Menu.Dropdown>
      <RemoveFactors user={user} isAsking={isAsking} onClose={() => setIsAsking(false)} />
    </Menu>
  )
}

/** One role instead of whatever they have. */
function RoleChoice({ user, roles }: RoleChoiceProps) {
  const change = useUserChange({
    run: ({ user: { id }, role }: { readonly user: UserBody; readonly role: RoleToGive }) =>
      call(changeUser, { params: { user: id }, body: { roles: [role.id] } }),
    onDone: ({ name }, { role }) => notify.success(`${name} has the role ${role.name} now.`),
  })
  const [only, ...others] = user.roles
  const chosen = only && others.length === 0 ? only.id : ''
  function choose(wanted: string) {
    const role = roles.find(({ id }) => id === wanted)
    if (role !== undefined && wanted !== chosen) change.mutate({ user, role })
  }
  return (
    <Menu.RadioGroup value={chosen} onChange={choose}>
      {roles.map(({ id, name, about }) => (
        <Menu.RadioItem key={id} value={id}>
          {name}
          <span className="user-menu-about">{about}</span>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

function InviteAgainItem({ user }: UserMenuProps) {
  const again = useUserChange({
    run: ({ user: { id } }) => call(inviteAgain, { params: { user: id } }),
    onDone: (_, { user: { email } }) => notify.success(`A new invitation for ${email} is written.`),
  })
  return (
    <Menu.Item leftSection={<IconMailForward size={16} stroke={1.5} />} onClick={() => again.mutate({ user })}>
      Invite again
    </Menu.Item>
  )
}

/** Shows the product as they see it, for whoever manages people and roles. */
function SeeAsItem({ user: { id, isDisabled, isInvited } }: UserMenuProps) {
  const mayLook = useCan('roles:manage')
  if (!mayLook || isDisabled || isInvited) return null
  return (
    <Menu.Item leftSection={<IconUser size={16} stroke={1.5} />} onClick={() => seeAs(id)}>
      See Dossier as they do
    </Menu.Item>
  )
}

type RemoveFactorsProps = UserMenuProps & { readonly isAsking: boolean; readonly onClose: () => void }

/** For those who lost their phone and their recovery codes. */
function RemoveFactors({ user, isAsking, onClose }: RemoveFactorsProps) {
  const remove = useUserChange({
    run: ({ user: { id } }) => call(removeFactorsOf, { params: { user: id } }),
    onDone(_, { user: { name } }) {
      onClose()
      notify.success(`The second factors of ${name} are removed.`, {
        detail: 'A letter tells them how to come in now.',
      })
    },
  })
  return (
    <ConfirmDialog
      isOpen={isAsking}
      onClose={onClose}
      title={`Remove the second factors of ${user.name}`}
      actionLabel="Remove second factors"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ user })}
    >
      Do this only when you know that it is {user.name} who asks. Their app, passkeys and recovery codes stop working,
      and they are signed out everywhere. Afterwards their password alone lets them in; one of fewer than{' '}
      {PASSWORD_MIN_CHARACTERS} characters ends, and they choose a new one by letter. They are told by letter.
    </ConfirmDialog>
  )
}

function DisableItem({ user }: UserMenuProps) {
  const enable = useUserChange({
    run: ({ user: who }) => setDisabled(who, false),
    onDone: (_, { user: { name } }) => notify.success(`${name} can sign in again.`),
  })
  const disable = useUserChange({
    run: ({ user: who }) => setDisabled(who, true),
    onDone: (_, { user: who }) =>
      notify.success(`${who.name} is locked out.`, {
        detail: 'Their sessions and tokens have ended.',
        action: { label: 'Undo', run: () => enable.mutate({ user: who }) },
      }),
  })
  if (user.isDisabled) {
    return (
      <Menu.Item leftSection={<IconUserCheck size={16} stroke={1.5} />} onClick={() => enable.mutate({ user })}>
        Let in again
      </Menu.Item>
    )
  }
  return (
    <Menu.Item
      color="danger"
      leftSection={<IconUserOff size={16} stroke={1.5} />}
      onClick={() => disable.mutate({ user })}
    >
      {user.isInvited ? 'Take the invitation back' : 'Lock out'}
    </Menu.Item>
  )
}
