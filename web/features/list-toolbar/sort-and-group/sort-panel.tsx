import type { Field } from '#domain/fields/field.ts'
import { MAX_SORT_KEYS } from '#domain/query/query-limits.ts'
import { t } from '#web/i18n/t.ts'
import { KeyList, type NextKeys } from './key-list.tsx'
import { sortFields } from './list-fields.ts'
import type { SortKey } from '#web/features/list-toolbar/url/list-query-params.ts'

export type SortPanelProps = {
  readonly fields: readonly Field[]
  readonly sort: readonly SortKey[]
  readonly onSort: (next: NextKeys) => void
}

export function SortPanel({ fields, sort, onSort }: SortPanelProps) {
  return <KeyList fields={sortFields(fields)} keys={sort} onKeys={onSort} most={MAX_SORT_KEYS} words={WORDS} />
}

const WORDS = {
  none: t('Sorted by creation date, oldest first.'),
  addFirst: t('Sort by'),
  addNext: t('Then by'),
  remove: (label: string) => t('Remove sorting by {label}', { label }),
}
