import { TextInput } from '@mantine/core'
import { USER_STATUSES } from '#domain/access/user.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import { Select } from '#web/ui/dropdown/select.tsx'
import { t } from '#web/i18n/t.ts'
import { STATUS_LABELS, type UserFilter } from './user-filter.ts'
import type { AssignableRole } from './users-queries.ts'

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

export function UserFilterBar({ filter, roles, onFilter }: UserFilterBarProps) {
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
