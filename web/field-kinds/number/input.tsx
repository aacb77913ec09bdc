import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import { formatNumber } from '#web/shared/formatting/format-value.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { parseValue } from '#domain/fields/kinds.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'

/** A number in the user's locale. Invalid input is reported and not applied. */
export function NumberInput(props: InputProps<'number'>) {
  const { field, value, onChange, onFault = () => onChange(null), onDone, error } = props
  // The typed text; undefined while the value is shown.
  const [typed, setTyped] = useState<string>()
  const read = typed === undefined ? undefined : parseValue(field, typed, LOCAL_FORMAT)
  const fault = read && !read.ok ? read.fault.message : undefined

  const type = (text: string) => {
    setTyped(text)
    const next = parseValue(field, text, LOCAL_FORMAT)
    if (next.ok) onChange(typeof next.value === 'number' ? next.value : null)
    else onFault(next.fault.message)
  }
  const leave = () => {
    if (fault === undefined) setTyped(undefined)
    onDone?.()
  }

  return (
    <TextInput
      {...textInputProps(props)}
      error={fault ?? error}
      inputMode="decimal"
      autoComplete="off"
      className="tabular"
      value={typed ?? (value === null ? '' : formatNumber(value))}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}
