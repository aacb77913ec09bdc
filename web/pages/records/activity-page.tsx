import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActivityList } from '#web/features/activity/activity-list.tsx'
import type { ActivityFilter } from '#web/features/activity/activity-queries.ts'
import { t } from '#web/i18n/t.ts'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { Select } from '#web/ui/dropdown/select.tsx'
import { useCollectionFilter } from './use-collection-filter.tsx'

const KINDS: readonly { readonly value: Exclude<ActivityFilter['kind'], ''>; readonly label: string }[] = [
  { value: 'record-created', label: t('Created') },
  { value: 'record-changed', label: t('Changed') },
  { value: 'record-moved', label: t('Status changed') },
  { value: 'record-deleted', label: t('Deleted') },
  { value: 'record-restored', label: t('Restored') },
  { value: 'records-imported', label: t('Imported') },
  { value: 'collection-created', label: t('Collection created') },
  { value: 'collection-changed', label: t('Fields and settings') },
  { value: 'collection-deleted', label: t('Collection deleted') },
  { value: 'view-created', label: t('View created') },
  { value: 'view-changed', label: t('View changed') },
  { value: 'view-deleted', label: t('View deleted') },
  { value: 'dashboard-created', label: t('Dashboard created') },
  { value: 'dashboard-shared', label: t('Dashboard shared') },
  { value: 'dashboard-changed', label: t('Dashboard changed') },
  { value: 'dashboard-unshared', label: t('Dashboard made private') },
  { value: 'dashboard-deleted', label: t('Dashboard deleted') },
]

const ORIGINS: readonly { readonly value: Exclude<ActivityFilter['via'], ''>; readonly label: string }[] = [
  { value: 'web', label: t('By hand') },
  { value: 'token', label: t('API token') },
  { value: 'import', label: t('Import') },
  { value: 'job', label: t('Bulk change') },
  { value: 'restore', label: t('Undo') },
  { value: 'cli', label: t('Command line') },
]

const ANY = { person: '', kind: '', via: '' } as const

export function ActivityPage() {
  const [filter, setFilter] = useState<Omit<ActivityFilter, 'collection'>>(ANY)
  const { collection, collections, dropdown, clear } = useCollectionFilter('/activity')
  const { data: people = [] } = useQuery(peopleQuery)
  return (
    <PageFrame
      title={t('Activity')}
      width="middle"
      lead={t('Undo any change. Later edits to the same values are kept.')}
    >
      <search className="activity-filter">
        {dropdown}
        <Select
          aria-label={t('Person')}
          placeholder={t('Everyone')}
          searchable
          clearable
          data={people.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.person === '' ? null : filter.person}
          onChange={(person) => setFilter({ ...filter, person: person ?? '' })}
        />
        <Select
          aria-label={t('Kind of change')}
          placeholder={t('All changes')}
          clearable
          data={[...KINDS]}
          value={filter.kind === '' ? null : filter.kind}
          onChange={(kind) => setFilter({ ...filter, kind: KINDS.find(({ value }) => value === kind)?.value ?? '' })}
        />
        <Select
          aria-label={t('Made by')}
          placeholder={t('All sources')}
          clearable
          data={[...ORIGINS]}
          value={filter.via === '' ? null : filter.via}
          onChange={(via) => setFilter({ ...filter, via: ORIGINS.find(({ value }) => value === via)?.value ?? '' })}
        />
      </search>
      <ActivityList
        collections={collections.map(typedCollection)}
        filter={{ ...filter, collection }}
        onShowAll={() => {
          setFilter(ANY)
          clear()
        }}
      />
    </PageFrame>
  )
}
