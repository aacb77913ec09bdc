import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/i18n/t.ts'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import { pastedDate } from '#web/field-kinds/date/pasted-date.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { instantOfLocal, localOfInstant } from '#web/shared/formatting/format-value.ts'

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** A date and time in the user's time zone. Applied on blur, because a partly typed year is valid as well. */
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
      onPaste={(event) => {
        const pasted = pastedDate(event, props.field)
        if (pasted !== undefined) onChange(pasted)
      }}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={({ currentTarget }) => leave(currentTarget.validity.badInput)}
    />
  )
}
