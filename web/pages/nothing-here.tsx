import { Button } from '@mantine/core'
import type { RecordBody } from '#api/records.ts'
import { useFollow } from '#web/fields/app-link.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import type { AddressQuery } from '#web/features/filters/query-in-url.ts'
import { NewRecordButton } from '#web/features/records/new-record-button.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { IconTableImport } from '#web/kit/icons/icon-table-import.ts'

type NothingHereProps = {
  readonly collection: KnownCollection
  readonly query: AddressQuery
  readonly change: (part: Partial<AddressQuery>) => void
  readonly onCreated: (record: RecordBody) => void
}

/** Says why there is nothing: because of what was asked for, or because nothing was made yet. */
export function NothingHere(props: NothingHereProps) {
  const { query, change } = props
  if (query.filter !== '' || query.search.trim() !== '') return <NothingFound query={query} change={change} />
  if (query.page > 1) {
    return (
      <EmptyState
        text="This page is past the last record."
        action={{ label: 'Go to the first page', onClick: () => change({ page: 1 }) }}
      />
    )
  }
  return <NothingYet {...props} />
}

function NothingFound({ query, change }: Pick<NothingHereProps, 'query' | 'change'>) {
  const words = query.search.trim()
  if (words === '') {
    return (
      <EmptyState
        text="No record fits the filter."
        action={{ label: 'Clear filter', onClick: () => change({ filter: '' }) }}
      />
    )
  }
  const isFiltered = query.filter !== ''
  return (
    <EmptyState
      text={isFiltered ? `No record that fits the filter has all of “${words}”.` : `No record has all of “${words}”.`}
      action={{
        label: isFiltered ? 'Clear filter and search' : 'Clear search',
        onClick: () => change({ filter: '', search: '' }),
      }}
    />
  )
}

function NothingYet({ collection, onCreated }: NothingHereProps) {
  const { can, label, name } = collection
  const [mayMake, mayImport] = [can.includes('records:create'), can.includes('records:import')]
  const follow = useFollow()
  const ways = mayImport ? ' Make one here, or import a CSV.' : mayMake ? ' Make the first one here.' : ''
  return (
    <div className="records-none">
      <EmptyState text={`${label} has no records yet.${ways}`} />
      <div className="records-none-ways">
        {mayMake && <NewRecordButton collection={collection} onCreated={onCreated} />}
        {mayImport && (
          <Button
            component="a"
            href={`/import?into=${encodeURIComponent(name)}`}
            leftSection={<IconTableImport size={16} stroke={1.5} />}
            onClick={follow}
          >
            Import a CSV
          </Button>
        )}
      </div>
    </div>
  )
}
