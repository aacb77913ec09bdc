import { TextInput as LineInput } from '@mantine/core'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'

export function TextInput(props: InputProps<'text'>) {
  const { value, onChange, onDone } = props
  return (
    <LineInput
      {...textInputProps(props)}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onDone?.()}
    />
  )
}
