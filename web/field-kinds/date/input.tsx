import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isDay } from '#domain/shared/time.ts'
import { t } from '#web/i18n/t.ts'
import { textInputProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { pastedDate } from './pasted-date.ts'
import { instantOfLocal, localOfInstant } from '#web/shared/formatting/format-value.ts'

/** A partly typed year is valid (0002), so the value is applied on blur. */
const FIRST_PLAIN_YEAR = '1000'

/** The browser's date input, in the user's locale and with the native picker. */
export function DateInput(props: InputProps<'date'>) {
  const { value, onChange, onFault = () => onChange(null), onDone } = props
  const [typed, setTyped] = useState<string>()

  const take = (text: string) => onChange(isDay(text) ? text : null)
  const type = (text: string, isUnfinished: boolean) => {
    if (isUnfinished) {
      // An incomplete date has no value in the browser; resetting it would make the input impossible to clear.
      setTyped('')
      return onFault(t('Enter a complete date.'))
    }
    const isFinished = text === '' || text.slice(0, 4) >= FIRST_PLAIN_YEAR
    setTyped(isFinished ? undefined : text)
    if (isFinished) take(text)
  }
  const leave = (isUnfinished: boolean) => {
    if (isUnfinished) return onFault(t('Enter a complete date.'))
    if (typed !== undefined) take(typed)
    setTyped(undefined)
    onDone?.()
  }

  return (
    <TextInput
      {...textInputProps(props)}
      type="date"
      max="9999-12-31"
      value={typed ?? value ?? ''}
      onPaste={(event) => {
        const pasted = pastedDate(event, props.field)
        if (pasted !== undefined) type(pasted, false)
      }}
      onChange={({ currentTarget }) => type(currentTarget.value, currentTarget.validity.badInput)}
      onBlur={({ currentTarget }) => leave(currentTarget.validity.badInput)}
    />
  )
}

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** A date and time in the user's time zone. Applied on blur, because a partly typed year is also valid. */
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
      description={
        <>
          {description && <>{description} </>}
          <span className="input-hint">{t('In your time zone ({zone})', { zone: ZONE })}</span>
        </>
      }
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
