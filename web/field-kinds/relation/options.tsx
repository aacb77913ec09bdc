import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import type { OptionsProps } from '#web/field-kinds/kind-props.ts'

/** Where a relation points, and whether at many records. */
export function RelationOptionsForm({ options, onChange, errorAt, isStored }: OptionsProps<'relation'>) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  return (
    <>
      <WithHelp setting="field-target">
        <Dropdown
          label={t('Points into')}
          required
          readOnly={isStored}
          description={isStored ? t('This cannot be changed: the values would mean other records.') : undefined}
          options={collections.map(({ id, label }) => ({ value: id, label }))}
          value={options.collection === '' ? null : options.collection}
          onChange={(collection) => onChange({ ...options, collection: collection ?? '' })}
          error={errorAt('options.collection')}
          placeholder={t('Choose a collection')}
        />
      </WithHelp>
      <WithHelp setting="field-many">
        <Checkbox
          label={t('Each record may point at several')}
          checked={options.many}
          onChange={({ currentTarget }) => onChange({ ...options, many: currentTarget.checked })}
        />
      </WithHelp>
    </>
  )
}
