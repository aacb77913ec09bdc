import { Badge } from '@mantine/core'
import type { UserBody } from '#api/users.ts'
import { useUser } from '#web/client/use-session.ts'
import { IconMail } from '#web/kit/icons/icon-mail.ts'
import { IconUserOff } from '#web/kit/icons/icon-user-off.ts'
import { IconUser } from '#web/kit/icons/icon-user.ts'
import { Line, LineList } from '#web/kit/line-list.tsx'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { UserMenu } from './user-menu.tsx'
import type { RoleToGive } from './users-queries.ts'
import './users.css'

function iconOf({ isDisabled, isInvited }: UserBody) {
  if (isDisabled) return IconUserOff
  return isInvited ? IconMail : IconUser
}

type UsersListProps = { readonly users: readonly UserBody[]; readonly roles: readonly RoleToGive[] }

/** Everybody, with their roles and how well their account is protected. */
export function UsersList({ users, roles }: UsersListProps) {
  const me = useUser()
  return (
    <LineList label="People">
      {users.map((user) => (
        <Line
          key={user.id}
          icon={iconOf(user)}
          title={user.name}
          mark={<UserMarks user={user} isMe={user.id === me?.id} />}
          detail={<UserDetail user={user} />}
          actions={user.id !== me?.id && <UserMenu user={user} roles={roles} />}
        />
      ))}
    </LineList>
  )
}

function UserMarks({ user, isMe }: { readonly user: UserBody; readonly isMe: boolean }) {
  return (
    <>
      {isMe && <Badge color="success">You</Badge>}
      {user.isInvited && !user.isDisabled && <Badge color="warning">Invited</Badge>}
      {user.isDisabled && <Badge color="danger">Locked out</Badge>}
    </>
  )
}

function UserDetail({ user: { email, roles, createdAt, isInvited, hasSecondFactor } }: { readonly user: UserBody }) {
  return (
    <>
      {roles.map(({ name }) => name).join(', ')} · {email} · {isInvited ? 'invited' : 'here since'}{' '}
      <RelativeTime at={createdAt} />
      {!isInvited && (hasSecondFactor ? ' · second factor' : ' · no second factor')}
    </>
  )
}
