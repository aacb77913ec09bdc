import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { isId } from '#domain/fields/relation.ts'
import type { FilterLiteral } from '#domain/query/filter.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import { recordSearch } from '#web/shared/lookups/search-records.ts'
import { recordTitleQuery } from '#web/shared/lookups/record-title-query.ts'

type RecordValueProps = {
  readonly field: Field<'relation'>
  readonly label: string
  readonly value: FilterLiteral | undefined
  readonly onValue: (value: FilterLiteral | undefined) => void
}

/** Records a condition points at, by their titles. */
function useRecordOptions({ options: { collection } }: Field<'relation'>, values: readonly unknown[]) {
  const queryClient = useQueryClient()
  const search = useMemo(() => recordSearch(queryClient, collection), [queryClient, collection])
  const ids = values.filter((value) => isId(value))
  const titles = useQueries({ queries: ids.map((id) => recordTitleQuery(queryClient, collection, id)) })
  const options = ids.map((id, at): DropdownOption => ({ value: id, label: titles[at]?.data ?? t('A record') }))
  return { search, options }
}

/** One record a condition compares with. */
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

/** Several of them. */
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
