import { Checkbox, Input } from '@mantine/core'
import { useId } from 'react'
import type { InputProps } from '#web/field-kinds/field-kind.ts'

export function CheckboxInput({
  value,
  onChange,
  onDone,
  label,
  description,
  error,
  readOnly,
  autoFocus,
}: InputProps<'checkbox'>) {
  const id = useId()
  const change = (checked: boolean) => {
    onChange(checked)
    onDone?.()
  }
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <Checkbox
        id={id}
        aria-describedby={description ? `${id}-description` : undefined}
        className="checkbox-input"
        size="sm"
        checked={value}
        disabled={readOnly ?? false}
        autoFocus={autoFocus ?? false}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
    </Input.Wrapper>
  )
}
