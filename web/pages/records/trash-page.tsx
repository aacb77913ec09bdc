import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { DeletedDefinitions, useDeletedDefinitions } from '#web/features/trash/deleted-definitions.tsx'
import { TrashList } from '#web/features/trash/trash-list.tsx'
import { trashSettingsQuery } from '#web/data/queries/workspace-queries.ts'
import { plural, t } from '#web/i18n/t.ts'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'

const DEBOUNCE_MS = 250

/** Keeps the place of a text that is being loaded. */
const BLANK_LINE = '\u00A0'

/** The URL contains the collection. */
export function TrashPage() {
  const { collection: requested = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, DEBOUNCE_MS)
  const { data: collections = [], isSuccess } = useQuery(collectionsQuery)
  // A link may name a collection that was deleted.
  const collection = isSuccess && !collections.some(({ name }) => name === requested) ? '' : requested
  const { data: settings } = useQuery(trashSettingsQuery)
  const definitions = useDeletedDefinitions(collection === '' && search === '')
  const show = (name: string) =>
    void navigate({ to: '/trash', search: name === '' ? {} : { collection: name }, replace: true })
  return (
    <PageFrame
      title={t('Trash')}
      width="middle"
      lead={
        settings
          ? plural(
              settings.days,
              'Deleted records can be restored for {n} day.',
              'Deleted records can be restored for {n} days.',
            )
          : BLANK_LINE
      }
    >
      <search className="trash-filter">
        <SearchField label={t('Search the trash')} value={text} onChange={setText} />
        <Select
          aria-label={t('Collection')}
          placeholder={t('All collections')}
          searchable
          clearable
          data={collections.map(({ name, label }) => ({ value: name, label }))}
          value={collection === '' ? null : collection}
          onChange={(name) => show(name ?? '')}
        />
      </search>
      <DeletedDefinitions items={definitions.items} />
      <TrashList
        isWaiting={definitions.isLoading}
        filter={{ collection, search }}
        onShowAll={() => {
          setText('')
          show('')
        }}
      />
    </PageFrame>
  )
}
