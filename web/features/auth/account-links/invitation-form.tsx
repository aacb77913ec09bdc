import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { acceptInvitation } from '#api/users.ts'
import { checkPassword } from '#domain/sessions/password-rules.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { isPasswordRejected, NewPasswordInput } from '#web/shared/credentials/new-password-input.tsx'
import { partMessage } from '#web/data/api/error-messages.ts'
import { setTransient } from '#web/data/session/session-tabs.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { t } from '#web/i18n/t.ts'
import { KeepSignedIn } from '#web/features/auth/sign-in/login-form.tsx'
import { openedLinks } from './opened-link.ts'

type InvitationFormProps = {
  readonly code: string
  readonly invited: { readonly email: string; readonly name: string }
}

export function InvitationForm({ code, invited }: InvitationFormProps) {
  const [name, setName] = useState(invited.name)
  const [password, setPassword] = useState('')
  const [isKept, setIsKept] = useState(true)
  const [wasTried, setWasTried] = useState(false)
  const passwordInput = useRef<HTMLInputElement>(null)
  const owner = { email: invited.email, name }
  const accept = useMutation({
    mutationFn: () => {
      const body = { code, name, password, remember: isKept }
      setTransient(!isKept)
      return sessionActions.signInWith(async () => {
        const tokens = await callOpenly(acceptInvitation, { body })
        openedLinks.markServed(code)
        return tokens
      })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (checkPassword(password, owner) !== 'good') passwordInput.current?.focus()
    else if (!accept.isPending) accept.mutate()
  }

  return (
    <form onSubmit={submit}>
      {accept.error && !isPasswordRejected(accept.error) && <FailureNotice error={accept.error} />}
      {/* Tells password managers which account the new password belongs to. */}
      <input type="hidden" name="email" autoComplete="username" value={invited.email} />
      <TextInput
        label={t('Your name')}
        name="name"
        size="md"
        required
        withAsterisk={false}
        autoComplete="name"
        maxLength={120}
        value={name}
        error={partMessage(accept.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NewPasswordInput
        ref={passwordInput}
        owner={owner}
        value={password}
        wasTried={wasTried}
        failure={accept.error}
        autoFocus
        onChange={setPassword}
      />
      <KeepSignedIn isKept={isKept} onChange={setIsKept} />
      <Button type="submit" variant="filled" size="md" fullWidth loading={accept.isPending}>
        {t('Join workspace')}
      </Button>
    </form>
  )
}
