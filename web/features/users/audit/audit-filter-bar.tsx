import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import { Select } from '#web/ui/dropdown/select.tsx'
import { t } from '#web/i18n/t.ts'
import { type AuditFilter, GROUP_OPTIONS, groupOf } from './audit-query.ts'
import { foundUsersQuery } from '#web/features/users/users-queries.ts'

const DEBOUNCE_MS = 250

type AuditFilterBarProps = {
  readonly filter: AuditFilter
  readonly onFilter: (part: Partial<AuditFilter>) => void
}

export function AuditFilterBar({ filter, onFilter }: AuditFilterBarProps) {
  const [person, setPerson] = useState('')
  const people = usePeopleOptions(person)
  const { data: collections } = useQuery(collectionsQuery)
  return (
    <search className="audit-filter" data-tour="audit-filter">
      <TextInput
        label={t('Search text')}
        placeholder={t('Event, address or name')}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        value={filter.text}
        onChange={({ currentTarget }) => onFilter({ text: currentTarget.value })}
      />
      <Select
        label={t('Person')}
        placeholder={t('Everyone')}
        searchable
        clearable
        data={people}
        onSearchChange={setPerson}
        value={filter.person === '' ? null : filter.person}
        onChange={(person) => onFilter({ person: person ?? '' })}
      />
      <Select
        label={t('Category')}
        placeholder={t('All categories')}
        clearable
        data={GROUP_OPTIONS}
        value={filter.group === '' ? null : filter.group}
        onChange={(group) => onFilter({ group: groupOf(group) })}
      />
      <Select
        className="audit-filter-collection"
        label={t('Collection')}
        placeholder={t('All collections')}
        searchable
        clearable
        data={(collections ?? []).map(({ id, label }) => ({ value: id, label }))}
        value={filter.collection === '' ? null : filter.collection}
        onChange={(collection) => onFilter({ collection: collection ?? '' })}
      />
      <TextInput
        label={t('From')}
        type="date"
        max={filter.until}
        value={filter.from}
        onChange={({ currentTarget }) => onFilter({ from: currentTarget.value })}
      />
      <TextInput
        label={t('To', {}, 'the last day')}
        type="date"
        min={filter.from}
        value={filter.until}
        onChange={({ currentTarget }) => onFilter({ until: currentTarget.value })}
      />
    </search>
  )
}

/** Users who manage users can also find disabled users. */
function usePeopleOptions(typed: string) {
  const isManager = useCan('users:manage')
  const [words] = useDebouncedValue(typed, DEBOUNCE_MS)
  const { data: first } = useQuery({ ...foundUsersQuery(''), enabled: isManager })
  const { data: found } = useQuery({ ...foundUsersQuery(words), enabled: isManager && words !== '' })
  const { data: people } = useQuery({ ...peopleQuery, enabled: !isManager })
  const names = new Map([...(first ?? people ?? []), ...(found ?? [])].map(({ id, name }) => [id, name]))
  return [...names].map(([value, label]) => ({ value, label }))
}
