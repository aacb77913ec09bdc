import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changePassword } from '#api/account.ts'
import { judgePassword } from '#domain/sessions/password-rules.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { call } from '#web/client/call.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { NewPasswordInput } from '#web/client/new-password-input.tsx'
import { queryKeys } from '#web/client/query-keys.ts'
import { useSecondsLeft, waitInWords } from '#web/client/use-seconds-left.ts'
import { useUser } from '#web/client/use-session.ts'
import { Panel } from '#web/kit/panel.tsx'
import { notify } from '#web/kit/toast/notify.tsx'
import './account-form.css'

/** Where the password is changed. */
export function PasswordPanel({ hasSecondFactor }: { readonly hasSecondFactor: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Panel title="Password" lead="A few words in a row are easy to remember and hard to guess.">
      {isOpen ? (
        <PasswordForm hasSecondFactor={hasSecondFactor} onClose={() => setIsOpen(false)} />
      ) : (
        <Button onClick={() => setIsOpen(true)}>Change password</Button>
      )}
    </Panel>
  )
}

type PasswordFormProps = { readonly hasSecondFactor: boolean; readonly onClose: () => void }

function usePasswordChange(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly current: string; readonly next: string }) => call(changePassword, { body }),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessions })
      notify.success('Your password is changed.', { detail: 'Every other device is signed out.' })
      onDone()
    },
  })
}

function PasswordForm({ hasSecondFactor, onClose }: PasswordFormProps) {
  const user = useUser()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [wasTried, setWasTried] = useState(false)
  const nextInput = useRef<HTMLInputElement>(null)
  const { mutate, error, isPending } = usePasswordChange(onClose)
  const secondsLeft = useSecondsLeft(error)
  const owner = { email: user?.email ?? '', name: user?.name ?? '', hasSecondFactor }
  const isWrong = asCallFailed(error)?.code === 'login-refused'

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (judgePassword(next, owner) !== 'good') nextInput.current?.focus()
    else if (!isPending && secondsLeft === 0) mutate({ current, next })
  }

  return (
    <form onSubmit={submit} className="account-form">
      {error && !isWrong && asCallFailed(error)?.code !== 'aborted' && <FailureNotice error={error} />}
      <input type="hidden" name="email" autoComplete="username" value={owner.email} />
      <PasswordInput
        label="Current password"
        name="current-password"
        size="md"
        required
        withAsterisk={false}
        autoFocus
        autoComplete="current-password"
        value={current}
        error={isWrong && 'This is not your current password.'}
        onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
      />
      <NewPasswordInput
        ref={nextInput}
        label="New password"
        owner={owner}
        value={next}
        wasTried={wasTried}
        onChange={setNext}
      />
      <div className="account-form-actions">
        <Button type="submit" variant="filled" loading={isPending} disabled={secondsLeft > 0}>
          {secondsLeft > 0 ? `Try again in ${waitInWords(secondsLeft)}` : 'Change password'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
