import { TextInput as LineInput, Textarea } from '@mantine/core'
import { textInputProps, type InputProps } from '#web/field-kinds/field-kind.ts'

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
