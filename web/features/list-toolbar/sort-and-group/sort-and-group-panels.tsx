import { type Field, canGroupBy, canSortBy } from '#domain/fields/field.ts'
import { MAX_GROUP_FIELDS, MAX_SORT_KEYS } from '#domain/query/query-limits.ts'
import { t } from '#web/i18n/t.ts'
import { type Grouped, groupKeys, withGroupKeys } from './group-keys.ts'
import { KeyList, type NextKeys } from './key-list.tsx'
import { RECORD_FIELDS } from '#web/shared/fields/typed-collection.ts'
import type { SortKey } from '#web/features/list-toolbar/url/list-query-params.ts'

export type GroupPanelProps = {
  readonly fields: readonly Field[]
  readonly grouped: Grouped
  readonly onChange: (next: (grouped: Grouped) => Grouped) => void
}

export function GroupPanel({ fields, grouped, onChange }: GroupPanelProps) {
  return (
    <KeyList
      fields={groupFields(fields)}
      keys={groupKeys(grouped)}
      onKeys={(next) => onChange((latest) => withGroupKeys(latest, next(groupKeys(latest))))}
      most={MAX_GROUP_FIELDS}
      words={GROUP_TEXTS}
    />
  )
}

const GROUP_TEXTS = {
  none: t('Not grouped. Select a field to group by.'),
  addFirst: t('Group by'),
  addNext: t('Then by'),
  remove: (label: string) => t('Remove grouping by {label}', { label }),
}

const listFields = (fields: readonly Field[]): readonly Field[] => [...fields, ...RECORD_FIELDS]

export const sortFields = (fields: readonly Field[]): readonly Field[] => listFields(fields).filter(canSortBy)

/** Fields with short single values. */
export const groupFields = (fields: readonly Field[]): readonly Field[] => fields.filter(canGroupBy)

export type SortPanelProps = {
  readonly fields: readonly Field[]
  readonly sort: readonly SortKey[]
  readonly onSort: (next: NextKeys) => void
}

export function SortPanel({ fields, sort, onSort }: SortPanelProps) {
  return <KeyList fields={sortFields(fields)} keys={sort} onKeys={onSort} most={MAX_SORT_KEYS} words={SORT_TEXTS} />
}

const SORT_TEXTS = {
  none: t('Sorted by creation date, oldest first.'),
  addFirst: t('Sort by'),
  addNext: t('Then by'),
  remove: (label: string) => t('Remove sorting by {label}', { label }),
}
