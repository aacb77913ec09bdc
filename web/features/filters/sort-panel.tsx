import { ActionIcon, NativeSelect } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { IconX } from '#web/kit/icons/icon-x.ts'
import { sortFields } from './list-fields.ts'
import type { SortKey } from './query-in-url.ts'
import './filters.css'

/** What the panel of the order is told. */
export type SortPanelProps = {
  readonly fields: readonly Field[]
  readonly sort: readonly SortKey[]
  readonly onSort: (sort: readonly SortKey[]) => void
}

/** What a list is sorted by, the strongest first. */
export function SortPanel({ fields, sort, onSort }: SortPanelProps) {
  const all = sortFields(fields)
  const free = all.filter(({ name }) => !sort.some((key) => key.field === name))
  return (
    <>
      {sort.length === 0 && <p className="filter-hint">In the order the records were made, oldest first.</p>}
      {sort.map((key, at) => (
        <SortLine
          key={key.field}
          label={labelOf(all, key.field)}
          sortKey={key}
          rank={at}
          onChange={(next) => onSort(sort.with(at, next))}
          onRemove={() => onSort(sort.toSpliced(at, 1))}
        />
      ))}
      <Dropdown
        size="xs"
        ariaLabel="Add a field to sort by"
        placeholder={sort.length === 0 ? 'Sort by…' : 'Then by…'}
        options={free.map(({ name, label }) => ({ value: name, label }))}
        value={null}
        onChange={(field) => field !== null && onSort([...sort, { field, direction: 'asc' }])}
      />
    </>
  )
}

const labelOf = (fields: readonly Field[], name: string): string =>
  fields.find((field) => field.name === name)?.label ?? name

type SortLineProps = {
  readonly label: string
  readonly sortKey: SortKey
  readonly rank: number
  readonly onChange: (key: SortKey) => void
  readonly onRemove: () => void
}

function SortLine({ label, sortKey, rank, onChange, onRemove }: SortLineProps) {
  return (
    <div className="sort-line">
      <span className="sort-lead">{rank === 0 ? 'By' : 'then'}</span>
      <span className="sort-field">{label}</span>
      <NativeSelect
        size="xs"
        aria-label={`Direction of ${label}`}
        value={sortKey.direction}
        data={[
          { value: 'asc', label: 'Ascending' },
          { value: 'desc', label: 'Descending' },
        ]}
        onChange={({ currentTarget }) =>
          onChange({ ...sortKey, direction: currentTarget.value === 'desc' ? 'desc' : 'asc' })
        }
      />
      <ActionIcon size="sm" aria-label={`Do not sort by ${label}`} onClick={onRemove}>
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
