import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import './field-kinds.css'

type WholeNumberInputProps = {
  readonly label: string
  readonly description?: string
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
  readonly error?: string | undefined
  /** Placeholder text that shows the default. */
  readonly unsaid?: string
  readonly isAnyNumber?: boolean
}

const WHOLE = /^\d{1,15}$/
const ANY = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

export function LimitInput(props: WholeNumberInputProps) {
  const { label, description, value, onChange, error, unsaid = t('No limit'), isAnyNumber = false } = props
  const [typed, setTyped] = useState(value === undefined ? '' : String(value))
  const form = isAnyNumber ? ANY : WHOLE
  const isWrong = typed.trim() !== '' && !form.test(typed.trim())
  const type = (text: string) => {
    setTyped(text)
    if (text.trim() === '') onChange(undefined)
    else if (form.test(text.trim())) onChange(Number(text))
  }
  return (
    <WithHelp setting="field-option" isDescribed>
      <TextInput
        label={label}
        description={description}
        inputMode={isAnyNumber ? 'decimal' : 'numeric'}
        placeholder={unsaid}
        value={typed}
        error={isWrong ? t('Not a number') : error}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
    </WithHelp>
  )
}

export function withOption<Options extends object, Name extends keyof Options>(
  options: Options,
  name: Name,
  value: Options[Name] | undefined,
): Options {
  const { [name]: _before, ...others } = options
  // Only optional options can be cleared, so undefined is valid here.
  return (value === undefined ? others : { ...others, [name]: value }) as Options
}
