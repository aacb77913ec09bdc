import { type QueryClient, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { isId } from '#domain/fields/relation.ts'
import type { FilterLiteral } from '#domain/query/filter/filter.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import { recordSearch, peopleQuery } from '#web/shared/lookups/search-options.ts'
import { listRecords } from '#api/records.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { useConditionOptions } from '#web/shared/conditions/condition-options.ts'

/** Null if the record isn't visible. */
const recordTitleQuery = (queryClient: QueryClient, collectionId: string, id: string) =>
  queryOptions({
    queryKey: queryKeys.recordList(collectionId, { titleOf: id }),
    queryFn: async ({ signal }) => {
      const collections = await queryClient.ensureQueryData(collectionsQuery)
      const body = collections.find((each) => each.id === collectionId)
      if (!body) return null
      const collection = typedCollection(body)
      const { titleField } = collection
      const { items } = await call(listRecords, {
        params: { collection: collectionId },
        query: {
          filter: printFilter({ field: 'id', op: '=', value: id }),
          ...(titleField !== null && { fields: titleField }),
          perPage: 1,
          count: 'none',
        },
        signal,
      })
      return items[0] ? recordTitle(collection, items[0]) : null
    },
    staleTime: 60_000,
  })

type RecordValueProps = {
  readonly field: Field<'relation' | 'reverse'>
  readonly label: string
  readonly value: FilterLiteral | undefined
  readonly onValue: (value: FilterLiteral | undefined) => void
}

function useRecordOptions({ options: { collection } }: Field<'relation' | 'reverse'>, values: readonly unknown[]) {
  const queryClient = useQueryClient()
  const search = useMemo(() => recordSearch(queryClient, collection), [queryClient, collection])
  const ids = values.filter((value) => isId(value))
  const titles = useQueries({ queries: ids.map((id) => recordTitleQuery(queryClient, collection, id)) })
  const options = ids.map((id, at): DropdownOption => ({ value: id, label: titles[at]?.data ?? t('A record') }))
  return { search, options }
}

export function RecordValue({ field, label, value, onValue }: RecordValueProps) {
  const { search, options } = useRecordOptions(field, [value])
  return (
    <SearchDropdown
      size="xs"
      ariaLabel={label}
      placeholder={t('Select a record')}
      search={search}
      value={options[0] ?? null}
      onChange={(option) => onValue(option?.value)}
    />
  )
}

type RecordsValueProps = Pick<RecordValueProps, 'field' | 'label'> & {
  readonly values: readonly (FilterLiteral | undefined)[]
  readonly onValues: (values: readonly FilterLiteral[]) => void
}

export function RecordsValue({ field, label, values, onValues }: RecordsValueProps) {
  const { search, options } = useRecordOptions(field, values)
  return (
    <SearchDropdown
      multiple
      size="xs"
      ariaLabel={label}
      placeholder={t('Find records')}
      search={search}
      value={options}
      onChange={(chosen) => onValues(chosen.map((option) => option.value))}
    />
  )
}

const ME = '@me'

/** The current user, all active users, and users already named in the filter. */
function usePeopleOptions(named: readonly string[]): readonly DropdownOption[] {
  const { data: people = [] } = useQuery(peopleQuery)
  const { me } = useConditionOptions()
  const known: DropdownOption[] = [
    ...(me === null ? [] : [{ value: ME, label: me }]),
    ...people.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const strangers = named.filter((value) => !known.some((option) => option.value === value))
  return [...known, ...strangers.map((value) => ({ value, label: t('Unknown user') }))]
}

const textOf = (value: FilterLiteral): string[] => {
  if (typeof value === 'object') return [value.marker]
  return typeof value === 'string' ? [value] : []
}

const literalOf = (text: string): FilterLiteral => (text === ME ? { marker: ME } : text)

type PersonValueProps = {
  readonly label: string
  readonly value: FilterLiteral | undefined
  readonly onValue: (value: FilterLiteral | undefined) => void
}

export function PersonValue({ label, value, onValue }: PersonValueProps) {
  const shown = value === undefined ? [] : textOf(value)
  return (
    <Dropdown
      size="xs"
      ariaLabel={label}
      required
      options={usePeopleOptions(shown)}
      value={shown[0] ?? null}
      onChange={(next) => onValue(next === null ? undefined : literalOf(next))}
      placeholder={t('Select…')}
    />
  )
}

type PeopleValueProps = {
  readonly label: string
  readonly values: readonly (FilterLiteral | undefined)[]
  readonly onValues: (values: readonly FilterLiteral[]) => void
}

export function PeopleValue({ label, values, onValues }: PeopleValueProps) {
  const shown = values.flatMap((value) => (value === undefined ? [] : textOf(value)))
  return (
    <Dropdown
      size="xs"
      multiple
      ariaLabel={label}
      options={usePeopleOptions(shown)}
      value={shown}
      onChange={(next) => onValues(next.map(literalOf))}
      placeholder={shown.length === 0 ? t('Select…') : ''}
    />
  )
}
