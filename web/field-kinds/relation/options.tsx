import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'

export function RelationOptionsForm({ options, onChange, errorAt, isStored }: OptionsProps<'relation'>) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  return (
    <>
      <WithHelp setting="field-target" isDescribed>
        <Dropdown
          label={t('Linked collection')}
          required
          readOnly={isStored}
          description={
            isStored
              ? t('Can’t be changed: existing values link to records in this collection.')
              : t('People see only the records they can access')
          }
          options={collections.map(({ id, label }) => ({ value: id, label }))}
          value={options.collection === '' ? null : options.collection}
          onChange={(collection) => onChange({ ...options, collection: collection ?? '' })}
          error={errorAt('options.collection')}
          placeholder={t('Select a collection')}
        />
      </WithHelp>
      <WithHelp setting="field-many" isDescribed>
        <Checkbox
          label={t('Allow multiple records')}
          checked={options.many}
          onChange={({ currentTarget }) => onChange({ ...options, many: currentTarget.checked })}
        />
      </WithHelp>
    </>
  )
}

export function UserOptionsForm({ options, onChange }: OptionsProps<'user'>) {
  return (
    <WithHelp setting="field-many" isDescribed>
      <Checkbox
        label={t('Allow multiple people')}
        checked={options.many}
        onChange={({ currentTarget }) => onChange({ ...options, many: currentTarget.checked })}
      />
    </WithHelp>
  )
}
