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
import { IconCheck, IconPointFilled } from '#web/ui/icons/general.ts'
import './password-hint.css'

type PasswordHintProps = {
  readonly password: string
  readonly owner: PasswordOwner
  readonly verdict: 'good' | PasswordFault
  /** What the server has against it. */
  readonly refusal: string | undefined
  /** Somebody tried to go on with it. */
  readonly isRefused: boolean
}

function sentenceFor({ password, owner, verdict, refusal }: PasswordHintProps): string {
  if (refusal !== undefined) return refusal
  if (verdict === 'good') return t('Strong password.')
  // Before anything is typed, what is needed most is said, whatever an empty text would be refused for.
  const fault = password === '' ? checkPassword('', owner) : verdict
  return fault === 'good' ? '' : PASSWORD_MESSAGES[fault]
}

/** What a password still lacks, said while it is typed, and how far it is on its way to being long enough. */
function PasswordHint(props: PasswordHintProps) {
  const { password, owner, verdict, refusal, isRefused } = props
  const isGood = verdict === 'good' && refusal === undefined
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
  /** Somebody tried to go on with it: what it lacks is said as a refusal from now on. */
  readonly wasTried: boolean
  /** What the last try to go on with it failed with. Only the server knows whose account it is, and what has leaked. */
  readonly failure: unknown
  /** The password's name in what is sent. */
  readonly part?: string
  readonly autoFocus?: boolean
  readonly onChange: (password: string) => void
}

/** Whether the server refused the new password: said at its field, and nowhere else. */
export const isPasswordRejected = (failure: unknown): boolean => toCallError(failure)?.code === 'password-weak'

/** What the server said against this very password; nothing once another one is typed. */
function usePasswordRejection(failure: unknown, part: string, value: string): string | undefined {
  const [last, setLast] = useState({ failure, value })
  if (last.failure !== failure) setLast({ failure, value })
  return isPasswordRejected(failure) && last.value === value
    ? (partMessage(failure, part) ?? toCallError(failure)?.message)
    : undefined
}

/** Where a new password is chosen; it is judged while it is typed, by the judge the server asks too. */
export function NewPasswordInput(props: NewPasswordInputProps) {
  const { ref, label = t('Password'), owner, value, wasTried, failure, part = 'password', ...rest } = props
  const verdict = checkPassword(value, owner)
  const refusal = usePasswordRejection(failure, part, value)
  const isRefused = (wasTried && verdict !== 'good') || refusal !== undefined
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
      description={<PasswordHint password={value} {...{ owner, verdict, refusal, isRefused }} />}
      descriptionProps={{ component: 'div' }}
      inputWrapperOrder={['label', 'input', 'description']}
      onChange={({ currentTarget }) => rest.onChange(currentTarget.value)}
    />
  )
}
