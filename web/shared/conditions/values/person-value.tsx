import { useQuery } from '@tanstack/react-query'
import type { FilterLiteral } from '#domain/query/filter.ts'
import { peopleQuery } from '#web/shared/lookups/people-query.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { t } from '#web/i18n/t.ts'
import { useConditionOptions } from '#web/shared/conditions/builder/condition-provider.ts'

/** Whoever looks at the list. */
const ME = '@me'

/** People as a filter names them: whoever asks, those who are there, and whom it names already, whoever that is. */
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

/** One person a condition compares with. */
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

/** Several of them. */
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
