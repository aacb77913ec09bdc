import { TextInput } from '@mantine/core'
import { readTotpCode } from '#domain/sessions/second-factors.ts'
import { t } from '#web/i18n/t.ts'
import './code-input.css'

type CodeInputProps = {
  readonly kind: 'totp' | 'recovery-code'
  readonly value: string
  readonly onChange: (text: string) => void
  /** The last digit of an app's code was typed or pasted: nothing is left to do but to send it. */
  readonly onComplete: (text: string) => void
}

/** Where a code is typed, or filled in by the browser or a password manager. */
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
      // Dialogs look for this one.
      data-autofocus
      maxLength={40}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
