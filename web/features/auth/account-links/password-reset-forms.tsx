import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { requestReset, resetPassword } from '#api/users.ts'
import { checkPassword } from '#domain/sessions/password-rules.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { t } from '#web/i18n/t.ts'
import { isPasswordRejected, NewPasswordInput } from '#web/shared/credentials/new-password-input.tsx'
import { formatWait, useCountdown } from '#web/shared/credentials/use-countdown.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { openedLinks } from './opened-link.ts'

type ResetPasswordFormProps = {
  readonly code: string
  readonly onDone: () => void
  readonly onGone: () => void
}

/**
 * The account is unknown, because reset links don't reveal it; the server validates the password against the account's
 * email.
 */
const UNKNOWN_OWNER = { email: '' }

export function ResetPasswordForm({ code, onDone, onGone }: ResetPasswordFormProps) {
  const [password, setPassword] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const reset = useMutation({
    mutationFn: () => callOpenly(resetPassword, { body: { code, password } }),
    onSuccess() {
      openedLinks.markServed(code)
      onDone()
    },
    onError: (error) => toCallError(error)?.code === 'gone' && onGone(),
  })
  const secondsLeft = useCountdown(reset.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (checkPassword(password, UNKNOWN_OWNER) !== 'good') input.current?.focus()
    else if (!reset.isPending && secondsLeft === 0) reset.mutate()
  }

  return (
    <form onSubmit={submit}>
      {reset.error && !isPasswordRejected(reset.error) && <FailureNotice error={reset.error} />}
      <NewPasswordInput
        ref={input}
        label={t('New password')}
        owner={UNKNOWN_OWNER}
        value={password}
        wasTried={wasTried}
        failure={reset.error}
        autoFocus
        onChange={setPassword}
      />
      <Button type="submit" variant="filled" size="md" fullWidth loading={reset.isPending} disabled={secondsLeft > 0}>
        {secondsLeft > 0
          ? t('Try again in {waitInWords}', { waitInWords: formatWait(secondsLeft) })
          : t('Save new password')}
      </Button>
    </form>
  )
}

type ForgotPasswordFormProps = {
  readonly email: string
  readonly onEmail: (email: string) => void
  readonly onRequested: () => void
}

export function ForgotPasswordForm({ email, onEmail, onRequested }: ForgotPasswordFormProps) {
  const ask = useMutation({
    mutationFn: () => callOpenly(requestReset, { body: { email: email.trim() } }),
    onSuccess: onRequested,
  })
  const secondsLeft = useCountdown(ask.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!ask.isPending && secondsLeft === 0) ask.mutate()
  }

  return (
    <form onSubmit={submit}>
      <FailureNotice error={ask.error} />
      <TextInput
        label={t('Email')}
        type="email"
        name="email"
        size="md"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        value={email}
        onChange={({ currentTarget }) => onEmail(currentTarget.value)}
      />
      <Button type="submit" variant="filled" size="md" fullWidth loading={ask.isPending} disabled={secondsLeft > 0}>
        {secondsLeft > 0 ? t('Try again in {waitInWords}', { waitInWords: formatWait(secondsLeft) }) : t('Send link')}
      </Button>
    </form>
  )
}
