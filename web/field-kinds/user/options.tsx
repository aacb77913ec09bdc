import { Checkbox } from '@mantine/core'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'

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
