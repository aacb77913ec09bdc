import { TextInput } from '@mantine/core'
import { readTotpCode } from '#domain/sessions/second-factors.ts'
import { t } from '#web/i18n/t.ts'
import './code-input.css'

type CodeInputProps = {
  readonly kind: 'totp' | 'recovery-code'
  readonly value: string
  readonly onChange: (text: string) => void
  /** Called when the last digit is entered, to submit the code. */
  readonly onComplete: (text: string) => void
}

export function CodeInput({ kind, value, onChange, onComplete }: CodeInputProps) {
  const isTotp = kind === 'totp'

  function change(text: string) {
    onChange(text)
    const hasJustGrown = text.length > value.length
    if (isTotp && hasJustGrown && readTotpCode(text) !== undefined) onComplete(text)
  }

  return (
    <TextInput
      className="one-time-code"
      data-kind={kind}
      label={isTotp ? t('Code') : t('Recovery code')}
      name={isTotp ? 'one-time-code' : 'recovery-code'}
      {...(!isTotp && { placeholder: 'xxxx-xxxx-xxxx' })}
      autoComplete={isTotp ? 'one-time-code' : 'off'}
      inputMode={isTotp ? 'numeric' : 'text'}
      autoCapitalize="off"
      spellCheck={false}
      autoFocus
      // Mantine focuses this element when a dialog opens.
      data-autofocus
      maxLength={40}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
