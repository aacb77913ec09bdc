import { PasswordInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import {
  checkPassword,
  PASSWORD_MESSAGES,
  PASSWORD_MIN_CHARACTERS,
  PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR,
  type PasswordFault,
  type PasswordOwner,
} from '#domain/sessions/password-rules.ts'
import { t } from '#web/i18n/t.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { IconCheck } from '#web/ui/icons/general.ts'
import { IconPointFilled } from '#web/ui/icons/later.ts'
import './password-hint.css'

type PasswordHintProps = {
  readonly password: string
  readonly owner: PasswordOwner
  readonly outcome: 'good' | PasswordFault
  /** The server's error message. */
  readonly refusal: string | undefined
  readonly isRefused: boolean
}

function sentenceFor({ password, owner, outcome, refusal }: PasswordHintProps): string {
  if (refusal !== undefined) return refusal
  if (outcome === 'good') return t('Strong password.')
  // If the password is empty, the first requirement is shown.
  const fault = password === '' ? checkPassword('', owner) : outcome
  return fault === 'good' ? '' : PASSWORD_MESSAGES[fault]
}

/** Shows unmet requirements while the user types, and the progress toward the minimum length. */
function PasswordHint(props: PasswordHintProps) {
  const { password, owner, outcome, refusal, isRefused } = props
  const isGood = outcome === 'good' && refusal === undefined
  const needed = owner.hasSecondFactor === true ? PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR : PASSWORD_MIN_CHARACTERS
  const share = Math.min(1, [...password].length / needed)
  return (
    <div className="password-hint" data-good={isGood || undefined} data-refused={isRefused || undefined}>
      <div className="password-hint-line" aria-hidden>
        <div style={{ scale: `${share} 1` }} />
      </div>
      <p role={isRefused ? 'alert' : undefined}>
        {isGood ? <IconCheck size={14} stroke={2} aria-hidden /> : <IconPointFilled size={14} aria-hidden />}
        <span>{sentenceFor(props)}</span>
      </p>
    </div>
  )
}

type NewPasswordInputProps = {
  readonly ref?: Ref<HTMLInputElement>
  readonly label?: string
  readonly owner: PasswordOwner
  readonly value: string
  /** Whether the form was submitted; hints then become errors. */
  readonly wasTried: boolean
  /**
   * The error from the last attempt; only the server can check the password against the account and leaked passwords.
   */
  readonly failure: unknown
  /** Name of the field in the request. */
  readonly part?: string
  readonly autoFocus?: boolean
  readonly onChange: (password: string) => void
}

/** These errors are shown only next to the field. */
export const isPasswordRejected = (failure: unknown): boolean => toCallError(failure)?.code === 'password-weak'

/** Hides the message as soon as the password is changed. */
function usePasswordRejection(failure: unknown, part: string, value: string): string | undefined {
  const [last, setLast] = useState({ failure, value })
  if (last.failure !== failure) setLast({ failure, value })
  return isPasswordRejected(failure) && last.value === value
    ? (partMessage(failure, part) ?? toCallError(failure)?.message)
    : undefined
}

/** Validated while the user types, with the same function as on the server. */
export function NewPasswordInput(props: NewPasswordInputProps) {
  const { ref, label = t('Password'), owner, value, wasTried, failure, part = 'password', ...rest } = props
  const outcome = checkPassword(value, owner)
  const refusal = usePasswordRejection(failure, part, value)
  const isRefused = (wasTried && outcome !== 'good') || refusal !== undefined
  return (
    <PasswordInput
      ref={ref}
      label={label}
      name="new-password"
      size="md"
      required
      withAsterisk={false}
      autoComplete="new-password"
      autoFocus={rest.autoFocus === true}
      value={value}
      error={isRefused}
      aria-invalid={isRefused}
      description={<PasswordHint password={value} {...{ owner, outcome, refusal, isRefused }} />}
      descriptionProps={{ component: 'div' }}
      inputWrapperOrder={['label', 'input', 'description']}
      onChange={({ currentTarget }) => rest.onChange(currentTarget.value)}
    />
  )
}
