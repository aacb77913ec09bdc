import { Textarea } from '@mantine/core'
import { textInputProps } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'

/** Text of several lines, as tall as what stands in it. */
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
