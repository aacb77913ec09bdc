import type { Field } from '#domain/fields/field.ts'
import { MAX_GROUP_FIELDS } from '#domain/query/query-limits.ts'
import { t } from '#web/i18n/t.ts'
import { groupKeys, type Grouped, withGroupKeys } from './group-keys.ts'
import { KeyList } from './key-list.tsx'
import { groupFields } from './list-fields.ts'

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
      words={WORDS}
    />
  )
}

const WORDS = {
  none: t('Not grouped. Select a field to group by.'),
  addFirst: t('Group by'),
  addNext: t('Then by'),
  remove: (label: string) => t('Remove grouping by {label}', { label }),
}
