import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconDotsVertical, IconMailForward, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { changeUser, inviteAgain, type UserBody } from '#api/users.ts'
import { ROLES, type RoleName } from '#domain/access/roles.ts'
import { call } from '#web/client/call.ts'
import { notify } from '#web/kit/toast/notify.tsx'
import { ROLE_WORDS } from './role-words.ts'
import { useUserChange } from './users-queries.ts'

type UserMenuProps = { readonly user: UserBody }

const changeRole = (role: RoleName) => (user: UserBody) =>
  call(changeUser, { params: { user: user.id }, body: { role } })
const setDisabled = (isDisabled: boolean) => (user: UserBody) =>
  call(changeUser, { params: { user: user.id }, body: { isDisabled } })

/** What can be done about one person. */
export function UserMenu({ user }: UserMenuProps) {
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon aria-label={`Change ${user.name}`}>
          <IconDotsVertical size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {user.isInvited && <InviteAgainItem user={user} />}
        {user.isInvited && <Menu.Divider />}
        <Menu.Label>Role</Menu.Label>
        {ROLES.map((role) => (
          <RoleItem key={role} user={user} role={role} />
        ))}
        <Menu.Divider />
        <DisableItem user={user} />
      </Menu.Dropdown>
    </Menu>
  )
}

function RoleItem({ user, role }: { readonly user: UserBody; readonly role: RoleName }) {
  const { label, about } = ROLE_WORDS[role]
  const isChosen = user.role === role
  const change = useUserChange({
    run: changeRole(role),
    onDone: (_, { name }) => notify.success(`${name} is ${label.toLocaleLowerCase()} now.`),
  })
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={isChosen}
      rightSection={isChosen && <IconCheck size={16} stroke={1.5} aria-hidden />}
      onClick={() => !isChosen && change.mutate(user)}
    >
      {label}
      <span className="user-menu-about">{about}</span>
    </Menu.Item>
  )
}

function InviteAgainItem({ user }: UserMenuProps) {
  const again = useUserChange({
    run: ({ id }) => call(inviteAgain, { params: { user: id } }),
    onDone: (_, { email }) => notify.success(`A new invitation for ${email} is written.`),
  })
  return (
    <Menu.Item leftSection={<IconMailForward size={16} stroke={1.5} />} onClick={() => again.mutate(user)}>
      Invite again
    </Menu.Item>
  )
}

function DisableItem({ user }: UserMenuProps) {
  const enable = useUserChange({
    run: setDisabled(false),
    onDone: (_, { name }) => notify.success(`${name} can sign in again.`),
  })
  const disable = useUserChange({
    run: setDisabled(true),
    onDone: (_, who) =>
      notify.success(`${who.name} is locked out.`, {
        detail: 'Their sessions and tokens have ended.',
        action: { label: 'Undo', run: () => enable.mutate(who) },
      }),
  })
  if (user.isDisabled) {
    return (
      <Menu.Item leftSection={<IconUserCheck size={16} stroke={1.5} />} onClick={() => enable.mutate(user)}>
        Let in again
      </Menu.Item>
    )
  }
  return (
    <Menu.Item color="danger" leftSection={<IconUserOff size={16} stroke={1.5} />} onClick={() => disable.mutate(user)}>
      {user.isInvited ? 'Take the invitation back' : 'Lock out'}
    </Menu.Item>
  )
}
