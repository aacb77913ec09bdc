import { Textarea } from '@mantine/core'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'

export function LongTextInput(props: InputProps<'long-text'>) {
  const { value, onChange } = props
  return (
    <Textarea
      {...textInputProps(props)}
      autosize
      minRows={2}
      maxRows={24}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}
