import { useQuery } from '@tanstack/react-query'
import { listRecords } from '#api/records.ts'
import type { Filter } from '#domain/query/filter.ts'
import { printFilter } from '#domain/query/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { filterByName } from '#domain/query/saved-filter.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { timeZoneQuery } from '#web/data/queries/time-zone-query.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import { useFindCollection } from '#web/shared/conditions/use-find-collection.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { plural, t } from '#web/i18n/t.ts'

/** So many are named as examples. */
const EXAMPLES = 3

type MatchingRecordsProps = { readonly collection: TypedCollection; readonly where: Filter }

/** How many records a condition describes now, and the first of them by name. */
export function MatchingRecords({ collection, where }: MatchingRecordsProps) {
  const findCollection = useFindCollection()
  const collectionOf = (id: string) => {
    const there = findCollection(id)
    return there && definitionOf(there)
  }
  const filter = printFilter(filterByName(where, { collection: definitionOf(collection), collectionOf }))
  const { data: zone, isError: isZoneUnknown } = useQuery(timeZoneQuery)
  const { data, isError } = useQuery({
    queryKey: [...queryKeys.records(collection.name), 'matching', filter, zone],
    enabled: zone !== undefined,
    queryFn: ({ signal }) =>
      call(listRecords, {
        // A grant reads days in the time zone of the workspace.
        timeZone: zone?.timeZone,
        params: { collection: collection.name },
        query: {
          filter,
          perPage: EXAMPLES,
          count: 'capped',
          ...(collection.titleField !== null && { fields: collection.titleField }),
        },
        signal,
      }),
    retry: false,
  })
  if (isZoneUnknown || isError || !data) return null
  const titles = data.items.map((record) => quoted(recordTitle(collection, record)))
  const count = data.total ?? 0
  const matching = data.totalIs === 'atLeast' ? moreThan(count, titles) : matchingText(count, titles)
  return (
    <p className="grant-hint" role="status">
      {filter.includes('@me') ? `${t('For your account:')} ${matching}` : matching}
    </p>
  )
}

function matchingText(count: number, titles: readonly string[]): string {
  if (count === 0) return t('No records match.')
  return plural(count, 'Matches {n} record, such as {titles}.', 'Matches {n} records, such as {titles}.', {
    titles: titles.join(', '),
  })
}

const moreThan = (count: number, titles: readonly string[]): string =>
  plural(count, 'Matches more than {n} record, such as {titles}.', 'Matches more than {n} records, such as {titles}.', {
    titles: titles.join(', '),
  })
