import { Checkbox } from '@mantine/core'
import type { OptionsProps } from '../part-props.ts'

/** Whether one person or several. */
export function UserOptionsForm({ options, onChange }: OptionsProps<'user'>) {
  return (
    <Checkbox
      label="Each record may name several people"
      checked={options.many}
      onChange={({ currentTarget }) => onChange({ ...options, many: currentTarget.checked })}
    />
  )
}
