import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { UserBody } from '#api/users.ts'
import { useUser } from '#web/client/use-session.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { IconMail } from '#web/kit/icons/icon-mail.ts'
import { IconUserOff } from '#web/kit/icons/icon-user-off.ts'
import { IconUser } from '#web/kit/icons/icon-user.ts'
import { Line, LineList } from '#web/kit/line-list.tsx'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { EVERYBODY, isLookedFor } from './user-filter.ts'
import { UserFilterBar } from './user-filter-bar.tsx'
import { UserMenu } from './user-menu.tsx'
import type { PeopleToManage } from './users-queries.ts'
import './users.css'

function iconOf({ isDisabled, isInvited }: UserBody) {
  if (isDisabled) return IconUserOff
  return isInvited ? IconMail : IconUser
}

/** As many people as are shown at once; more on demand. */
const SHOWN_AT_ONCE = 50

/** Fewer people than this are found with one look. */
const WORTH_SEARCHING = 6

/** Everybody, with their roles and how well their account is protected; to be searched when they are many. */
export function UsersList({ items, roles, profileFields }: PeopleToManage) {
  const me = useUser()
  const [filter, setFilter] = useState(EVERYBODY)
  const [most, setMost] = useState(SHOWN_AT_ONCE)
  const found = items.filter((user) => isLookedFor(user, filter))
  const search = (next: typeof filter) => {
    setFilter(next)
    setMost(SHOWN_AT_ONCE)
  }
  return (
    <>
      {items.length >= WORTH_SEARCHING && (
        <div>
          <UserFilterBar filter={filter} roles={roles} onFilter={search} />
          <p className="users-count" role="status">
            {found.length === items.length
              ? peopleCount(items.length)
              : `${found.length} of ${peopleCount(items.length)}`}
          </p>
        </div>
      )}
      {found.length === 0 && (
        <EmptyState
          text="Nobody fits what you look for."
          action={{ label: 'Show everybody', onClick: () => search(EVERYBODY) }}
        />
      )}
      {found.length > 0 && (
        <LineList label="People">
          {found.slice(0, most).map((user) => (
            <Line
              key={user.id}
              icon={iconOf(user)}
              title={user.name}
              mark={<UserMarks user={user} isMe={user.id === me?.id} />}
              detail={<UserDetail user={user} />}
              actions={user.id !== me?.id && <UserMenu user={user} roles={roles} profileFields={profileFields} />}
            />
          ))}
        </LineList>
      )}
      {found.length > most && (
        <div className="users-more">
          <Button onClick={() => setMost(most + SHOWN_AT_ONCE)}>
            Show {Math.min(SHOWN_AT_ONCE, found.length - most)} more
          </Button>
        </div>
      )}
    </>
  )
}

const peopleCount = (count: number): string => (count === 1 ? '1 person' : `${count.toLocaleString()} people`)

function UserMarks({ user, isMe }: { readonly user: UserBody; readonly isMe: boolean }) {
  return (
    <>
      {isMe && <Badge color="success">You</Badge>}
      {user.isInvited && !user.isDisabled && <Badge color="warning">Invited</Badge>}
      {user.isDisabled && <Badge color="danger">Locked out</Badge>}
    </>
  )
}

function UserDetail({ user }: { readonly user: UserBody }) {
  const { email, roles, createdAt, isInvited, hasSecondFactor, lastSeenAt } = user
  return (
    <>
      {roles.map(({ name }) => name).join(', ')} · {email} · {isInvited ? 'invited' : 'joined'}{' '}
      <RelativeTime at={createdAt} />
      {lastSeenAt !== null && (
        <>
          {' '}
          · last seen <RelativeTime at={lastSeenAt} />
        </>
      )}
      {!isInvited && (hasSecondFactor ? ' · second factor' : ' · no second factor')}
    </>
  )
}
