import { Checkbox } from '@mantine/core'
import { t } from '#web/language/t.ts'
import type { OptionsProps } from '../part-props.ts'

/** Whether one person or several. */
export function UserOptionsForm({ options, onChange }: OptionsProps<'user'>) {
  return (
    <Checkbox
      label={t('Each record may name several people')}
      checked={options.many}
      onChange={({ currentTarget }) => onChange({ ...options, many: currentTarget.checked })}
    />
  )
}
