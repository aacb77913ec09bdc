import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { requestReset } from '#api/users.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { useCountdown, formatWait } from '#web/shared/credentials/use-countdown.ts'
import { t } from '#web/i18n/t.ts'

type ForgotPasswordFormProps = {
  readonly email: string
  readonly onEmail: (email: string) => void
  readonly onAsked: () => void
}

export function ForgotPasswordForm({ email, onEmail, onAsked }: ForgotPasswordFormProps) {
  const ask = useMutation({
    mutationFn: () => callOpenly(requestReset, { body: { email: email.trim() } }),
    onSuccess: onAsked,
  })
  const secondsLeft = useCountdown(ask.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!ask.isPending && secondsLeft === 0) ask.mutate()
  }

  return (
    <form onSubmit={submit}>
      {ask.error && <FailureNotice error={ask.error} />}
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
