import { PasswordInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { checkPassword, type PasswordOwner } from '#domain/sessions/password-rules.ts'
import { t } from '#web/i18n/t.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { PasswordHint } from './password-hint.tsx'
import { partMessage } from '#web/data/api/error-messages.ts'

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
