import { Badge, Button, TextInput } from '@mantine/core'
import type { UserBody } from '#api/users.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconMail, IconSearch, IconUser } from '#web/ui/icons/start.ts'
import { IconUserOff } from '#web/ui/icons/later.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { Say } from '#web/i18n/say.tsx'
import { plural, t } from '#web/i18n/t.ts'
import {
  type AssignableRole,
  type ManagedUsers,
  NO_USER_FILTER,
  STATUS_LABELS,
  type UserFilter,
} from './users-queries.ts'
import { UserMenu } from './user-menu.tsx'
import './users.css'
import { USER_STATUSES } from '#domain/access/user.ts'
import { Select } from '#web/ui/dropdown/select.tsx'

function iconOf({ isDisabled, isInvited }: UserBody) {
  if (isDisabled) return IconUserOff
  return isInvited ? IconMail : IconUser
}

/** Minimum number of users for showing the search input. */
const SEARCHABLE_FROM = 6

type UserListProps = {
  readonly pages: readonly ManagedUsers[]
  readonly filter: UserFilter
  readonly onFilter: (filter: UserFilter) => void
  /** Undefined on the last page. */
  readonly onMore: (() => void) | undefined
  readonly isBusy: boolean
}

export function UserList({ pages, filter, onFilter, onMore, isBusy }: UserListProps) {
  const items = pages.flatMap((page) => page.items)
  const last = pages.at(-1)
  if (last === undefined) return null
  const { total, allUsers, roles } = last
  return (
    <>
      {allUsers >= SEARCHABLE_FROM && (
        <div>
          <UserFilterBar filter={filter} roles={roles} onFilter={onFilter} />
          <p className="users-count" role="status">
            {total === allUsers
              ? peopleCount(allUsers)
              : t('{total} of {peopleCount}', { total, peopleCount: peopleCount(allUsers) })}
          </p>
        </div>
      )}
      {items.length === 0 && (
        <EmptyState
          icon={IconSearch}
          text={t('No people match your search.')}
          action={{ label: t('Show everyone'), onClick: () => onFilter(NO_USER_FILTER) }}
        />
      )}
      {items.length > 0 && <UserRows items={items} known={last} />}
      {onMore && (
        <div className="users-more">
          <Button loading={isBusy} onClick={onMore}>
            {t('Show more')}
          </Button>
        </div>
      )}
    </>
  )
}

type UserRowsProps = { readonly items: readonly UserBody[]; readonly known: ManagedUsers }

function UserRows({ items, known: { roles, profileFields } }: UserRowsProps) {
  const me = useUser()
  return (
    <ItemList label={t('People')} mark="people">
      {items.map((user) => (
        <ListItem
          key={user.id}
          icon={iconOf(user)}
          title={user.name}
          mark={<UserBadges user={user} isMe={user.id === me?.id} />}
          detail={<UserDetail user={user} />}
          actions={user.id !== me?.id && <UserMenu user={user} roles={roles} profileFields={profileFields} />}
        />
      ))}
    </ItemList>
  )
}

const peopleCount = (count: number): string => plural(count, '{n} person', '{n} people')

function UserBadges({ user, isMe }: { readonly user: UserBody; readonly isMe: boolean }) {
  return (
    <>
      {isMe && <Badge color="success">{t('You')}</Badge>}
      {user.isInvited && !user.isDisabled && <Badge color="warning">{t('Invited')}</Badge>}
      {user.isDisabled && <Badge color="danger">{t('Deactivated')}</Badge>}
    </>
  )
}

function UserDetail({ user }: { readonly user: UserBody }) {
  const { email, roles, createdAt, isInvited, hasSecondFactor, lastSeenAt } = user
  return (
    <>
      {roles.map((role) => builtInText(role).name).join(', ')} · {email} ·{' '}
      {isInvited ? (
        <Say text="invited {when}" values={{ when: <RelativeTime at={createdAt} /> }} />
      ) : (
        <Say text="joined {when}" values={{ when: <RelativeTime at={createdAt} /> }} />
      )}
      {lastSeenAt !== null && (
        <>
          {' '}
          · <Say text="last seen {when}" values={{ when: <RelativeTime at={lastSeenAt} /> }} />
        </>
      )}
      {!isInvited && (hasSecondFactor ? ` · ${t('second factor')}` : ` · ${t('no second factor')}`)}
    </>
  )
}

type UserFilterBarProps = {
  readonly filter: UserFilter
  readonly roles: readonly AssignableRole[]
  readonly onFilter: (filter: UserFilter) => void
}

const ANY_ROLE = 'any'
const ANY_STATUS = 'anyhow'

const STATUS_OPTIONS = [
  { value: ANY_STATUS, label: t('Everyone') },
  ...USER_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
]

function UserFilterBar({ filter, roles, onFilter }: UserFilterBarProps) {
  return (
    <search className="users-filter">
      <TextInput
        aria-label={t('Search people')}
        placeholder={t('Name or email')}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        value={filter.words}
        onChange={({ currentTarget }) => onFilter({ ...filter, words: currentTarget.value })}
      />
      <Select
        aria-label={t('Role')}
        allowDeselect={false}
        data={[
          { value: ANY_ROLE, label: t('All roles') },
          ...roles.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filter.role ?? ANY_ROLE}
        onChange={(role) => onFilter({ ...filter, role: role === ANY_ROLE ? null : role })}
      />
      <Select
        aria-label={t('Status')}
        allowDeselect={false}
        data={STATUS_OPTIONS}
        value={filter.standing ?? ANY_STATUS}
        onChange={(chosen) => onFilter({ ...filter, standing: USER_STATUSES.find((one) => one === chosen) ?? null })}
      />
    </search>
  )
}
