import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeletedDefinitions, useDeletedDefinitions } from '#web/features/trash/deleted-definitions.tsx'
import { TrashList } from '#web/features/trash/trash-list.tsx'
import { trashSettingsQuery } from '#web/data/queries/workspace-queries.ts'
import { plural, t } from '#web/i18n/t.ts'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { SearchField } from '#web/ui/controls/search-field.tsx'
import { useCollectionFilter } from './use-collection-filter.tsx'

const DEBOUNCE_MS = 250

/** Keeps the place of a text that is being loaded. */
const BLANK_LINE = '\u00A0'

export function TrashPage() {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, DEBOUNCE_MS)
  const { collection, dropdown, clear } = useCollectionFilter('/trash')
  const { data: settings } = useQuery(trashSettingsQuery)
  const definitions = useDeletedDefinitions(collection === '' && search === '')
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
        {dropdown}
      </search>
      <DeletedDefinitions items={definitions.items} />
      <TrashList
        isWaiting={definitions.isLoading}
        filter={{ collection, search }}
        onShowAll={() => {
          setText('')
          clear()
        }}
      />
    </PageFrame>
  )
}
