import { Select, TextInput } from '@mantine/core'
import { IconSearch } from '#web/kit/icons/icon-search.ts'
import { STANDINGS, type Standing, type UserFilter } from './user-filter.ts'
import type { RoleToGive } from './users-queries.ts'

type UserFilterBarProps = {
  readonly filter: UserFilter
  readonly roles: readonly RoleToGive[]
  readonly onFilter: (filter: UserFilter) => void
}

const ANY_ROLE = 'any'

const isStanding = (value: string): value is Standing => Object.hasOwn(STANDINGS, value)

/** Says which people are looked for. */
export function UserFilterBar({ filter, roles, onFilter }: UserFilterBarProps) {
  return (
    <search className="users-filter">
      <TextInput
        aria-label="Search people"
        placeholder="Name or e-mail"
        leftSection={<IconSearch size={16} stroke={1.5} />}
        value={filter.words}
        onChange={({ currentTarget }) => onFilter({ ...filter, words: currentTarget.value })}
      />
      <Select
        aria-label="Role"
        allowDeselect={false}
        data={[{ value: ANY_ROLE, label: 'Every role' }, ...roles.map(({ id, name }) => ({ value: id, label: name }))]}
        value={filter.role ?? ANY_ROLE}
        onChange={(role) => onFilter({ ...filter, role: role === ANY_ROLE ? null : role })}
      />
      <Select
        aria-label="Which people"
        allowDeselect={false}
        data={Object.entries(STANDINGS).map(([value, label]) => ({ value, label }))}
        value={filter.standing}
        onChange={(standing) => standing !== null && isStanding(standing) && onFilter({ ...filter, standing })}
      />
    </search>
  )
}
