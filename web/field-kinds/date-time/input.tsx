import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/i18n/t.ts'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { instantOfLocal, localOfInstant } from '#web/shared/formatting/format-value.ts'

/** The zone in which the reader sees moments. */
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** A moment, typed in the reader's own zone. Taken when the person leaves, since half a year is a year, too. */
export function DateTimeInput(props: InputProps<'date-time'>) {
  const { value, onChange, onFault = () => onChange(null), onDone, description } = props
  const [typed, setTyped] = useState<string>()
  const shown = value === null ? '' : localOfInstant(value)

  const leave = (isUnfinished: boolean) => {
    if (isUnfinished) return onFault(t('Enter a complete date and time.'))
    if (typed !== undefined && typed !== shown) onChange(instantOfLocal(typed))
    setTyped(undefined)
    onDone?.()
  }

  return (
    <TextInput
      {...textInputProps(props)}
      description={description ?? t('In your time zone, {zone}', { zone: ZONE })}
      type="datetime-local"
      max="9999-12-31T23:59"
      value={typed ?? shown}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={({ currentTarget }) => leave(currentTarget.validity.badInput)}
    />
  )
}
