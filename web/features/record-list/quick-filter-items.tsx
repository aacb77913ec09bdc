import { Menu } from '@mantine/core'
import { useListFilter } from '#web/shared/conditions/list-filter.tsx'
import { addCondition } from '#web/shared/conditions/add-condition.ts'
import { RECORD_FIELDS, type TypedCollection } from '#web/shared/fields/typed-collection.ts'

import { IconFilter2 } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { personIn } from '#web/shared/fields/record-title.ts'
import { quickFilters } from './quick-filter.ts'

type QuickFilterItemsProps = {
  readonly collection: TypedCollection
  readonly columnId: string
  readonly row: RecordRow
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

export function QuickFilterItems({ collection, columnId, row: { record } }: QuickFilterItemsProps) {
  const { onChange } = useListFilter()
  const field = [...collection.fields, ...RECORD_FIELDS].find(({ id }) => id === columnId)
  if (!field) return null
  const values: { readonly [name: string]: unknown } = { ...record.values, ...systemValues(record) }
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('Filter by {label}', { label: field.label })}</Menu.Label>
      {quickFilters(field, values[field.name]).map(({ label, condition }) => (
        <Menu.Item
          key={label}
          leftSection={<IconFilter2 {...icon} />}
          onClick={() => onChange((latest) => addCondition(latest, condition))}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}

const systemValues = (record: RecordRow['record']) => ({
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  createdBy: personIn(record, 'createdBy'),
  updatedBy: personIn(record, 'updatedBy'),
})
