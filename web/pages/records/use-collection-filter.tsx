import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { t } from '#web/i18n/t.ts'
import { Select } from '#web/ui/dropdown/select.tsx'

/** The collection that a page is filtered by, which is part of the URL, and the dropdown for it. */
export function useCollectionFilter(page: '/activity' | '/trash') {
  const { collection: requested = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data: collections = [], isSuccess } = useQuery(collectionsQuery)
  // A link may name a collection that was deleted.
  const collection = isSuccess && !collections.some(({ name }) => name === requested) ? '' : requested
  const show = (name: string) =>
    void navigate({ to: page, search: name === '' ? {} : { collection: name }, replace: true })
  const dropdown = (
    <Select
      aria-label={t('Collection')}
      placeholder={t('All collections')}
      searchable
      clearable
      data={collections.map(({ name, label }) => ({ value: name, label }))}
      value={collection === '' ? null : collection}
      onChange={(name) => show(name ?? '')}
    />
  )
  return { collection, collections, dropdown, clear: () => show('') }
}
