import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { judgePassword } from '#domain/sessions/password-rules.ts'
import { resetPassword } from '#api/users.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { callOpenly } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { isPasswordRefused, NewPasswordInput } from '#web/client/new-password-input.tsx'
import { useSecondsLeft, waitInWords } from '#web/client/use-seconds-left.ts'
import { t } from '#web/language/t.ts'
import { openedLinks } from './opened-link.ts'

type ResetFormProps = {
  /** From the link in the mail. */
  readonly code: string
  readonly onDone: () => void
  readonly onGone: () => void
}

/** The link does not say whose account it is; the server judges the password with that knowledge once more. */
const UNKNOWN_OWNER = { email: '' }

/** Chooses a new password with the code of a link. */
export function ResetForm({ code, onDone, onGone }: ResetFormProps) {
  const [password, setPassword] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const reset = useMutation({
    mutationFn: () => callOpenly(resetPassword, { body: { code, password } }),
    onSuccess() {
      openedLinks.markServed(code)
      onDone()
    },
    onError: (error) => asCallFailed(error)?.code === 'gone' && onGone(),
  })
  const secondsLeft = useSecondsLeft(reset.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (judgePassword(password, UNKNOWN_OWNER) !== 'good') input.current?.focus()
    else if (!reset.isPending && secondsLeft === 0) reset.mutate()
  }

  return (
    <form onSubmit={submit}>
      {reset.error && !isPasswordRefused(reset.error) && <FailureNotice error={reset.error} />}
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
          ? t('Try again in {waitInWords}', { waitInWords: waitInWords(secondsLeft) })
          : t('Save the new password')}
      </Button>
    </form>
  )
}
