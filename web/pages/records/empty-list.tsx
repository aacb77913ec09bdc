import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { RecordBody } from '#api/records.ts'
import { useFollow } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ListQuery } from '#web/features/list-toolbar/url/list-query-params.ts'
import { NewRecordButton } from '#web/features/record-list/new-record/new-record-button.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconFileText, IconSearch } from '#web/ui/icons/start.ts'
import { IconFilter2 } from '#web/ui/icons/general.ts'
import { IconTableImport } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'

type EmptyListProps = {
  readonly collection: TypedCollection
  readonly query: ListQuery
  readonly change: (part: Partial<ListQuery>) => void
  readonly onCreated: (record: RecordBody) => void
}

/** Explains why a list is empty: its filter, or because no records exist yet. */
export function EmptyList(props: EmptyListProps) {
  const { collection, query, change } = props
  if (query.filter !== '' || query.search.trim() !== '') return <NoResults query={query} change={change} />
  if (query.page > 1) {
    return (
      <EmptyState
        icon={IconFileText}
        text={t('No records on this page.')}
        action={{ label: t('Go to first page'), onClick: () => change({ page: 1 }) }}
      />
    )
  }
  if (query.asOf !== null) return <EmptyState icon={IconFileText} text={t('There were no records at this time.')} />
  const { fields, can } = collection
  return fields.length === 0 && can.includes('collections:manage') ? (
    <NoFieldsYet collection={collection} />
  ) : (
    <NoRecordsYet {...props} />
  )
}

function NoResults({ query, change }: Pick<EmptyListProps, 'query' | 'change'>) {
  const words = query.search.trim()
  if (words === '') {
    return (
      <EmptyState
        icon={IconFilter2}
        text={t('No records match the filter.')}
        action={{ label: t('Clear filter'), onClick: () => change({ filter: '' }) }}
      />
    )
  }
  const isFiltered = query.filter !== ''
  return (
    <EmptyState
      icon={IconSearch}
      text={
        isFiltered
          ? t('No results for “{words}” with the current filter.', { words })
          : t('No results for “{words}”.', { words })
      }
      action={{
        label: isFiltered ? t('Clear filter and search') : t('Clear search'),
        onClick: () => change({ filter: '', search: '' }),
      }}
    />
  )
}

/** Without fields, new records would have no content. */
function NoFieldsYet({ collection: { name, label } }: Pick<EmptyListProps, 'collection'>) {
  const navigate = useNavigate()
  const open = () => void navigate({ to: '/collections/$collection/settings', params: { collection: name } })
  return (
    <EmptyState
      icon={IconFileText}
      text={t('{label} has no fields yet. Add one, such as a name, to start entering data.', {
        label,
      })}
      action={{ label: t('Add a field'), onClick: open }}
    />
  )
}

function NoRecordsYet({ collection, onCreated }: EmptyListProps) {
  const { can, label, name } = collection
  const [mayMake, mayImport] = [can.includes('records:create'), can.includes('records:import')]
  const follow = useFollow()
  const ways = mayImport
    ? t('Create one, or import a CSV file.')
    : mayMake
      ? t('Create the first one.')
      : t('Records you have access to will appear here.')
  return (
    <EmptyState icon={IconFileText} text={`${t('{label} has no records yet.', { label })} ${ways}`}>
      {(mayMake || mayImport) && (
        <>
          {mayMake && <NewRecordButton collection={collection} onCreated={onCreated} />}
          {mayImport && (
            <Button
              component="a"
              href={`/import?into=${encodeURIComponent(name)}`}
              leftSection={<IconTableImport size={16} stroke={1.5} />}
              onClick={follow}
            >
              {t('Import CSV')}
            </Button>
          )}
        </>
      )}
    </EmptyState>
  )
}
