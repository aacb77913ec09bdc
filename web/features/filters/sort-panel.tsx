import type { Field } from '#domain/fields/field.ts'
import { MAX_SORT_KEYS } from '#domain/query/query-limits.ts'
import { KeyList } from './key-list.tsx'
import { sortFields } from './list-fields.ts'
import type { SortKey } from './query-in-url.ts'

/** What the panel of the order is told. */
export type SortPanelProps = {
  readonly fields: readonly Field[]
  readonly sort: readonly SortKey[]
  readonly onSort: (sort: readonly SortKey[]) => void
}

/** What a list is sorted by, the strongest first. */
export function SortPanel({ fields, sort, onSort }: SortPanelProps) {
  return <KeyList fields={sortFields(fields)} keys={sort} onKeys={onSort} most={MAX_SORT_KEYS} words={WORDS} />
}

const WORDS = {
  none: 'In the order the records were made, oldest first.',
  addFirst: 'Sort by',
  addNext: 'Then by',
  remove: (label: string) => `Do not sort by ${label}`,
}
