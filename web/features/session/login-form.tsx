import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { sessionActions } from '#web/client/session-actions.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'

/** E-mail, password, and the way in. Where to go next is the guards' business. */
export function LoginForm() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const passwordInput = useRef<HTMLInputElement>(null)
  const signIn = useMutation({
    mutationFn: () => sessionActions.logIn(email.trim(), password),
    onError: () => passwordInput.current?.select(),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!signIn.isPending) signIn.mutate()
  }

  return (
    <form onSubmit={submit}>
      {signIn.error && <FailureNotice error={signIn.error} />}
      <TextInput
        label="E-mail"
        type="email"
        name="email"
        size="md"
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        ref={passwordInput}
        label="Password"
        name="password"
        size="md"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" size="md" fullWidth loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  )
}
